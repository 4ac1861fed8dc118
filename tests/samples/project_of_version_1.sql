BEGIN TRANSACTION;
CREATE TABLE annotators (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, protocol TEXT NOT NULL);
INSERT INTO "annotators" VALUES(1,'ann','all');
INSERT INTO "annotators" VALUES(2,'ben','best');
CREATE TABLE documents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "documents" VALUES(1,'src');
CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL,
        annotator INTEGER NOT NULL REFERENCES annotators (id),
        sentence INTEGER REFERENCES sentences (id), kind TEXT NOT NULL, revision INTEGER, data TEXT NOT NULL);
INSERT INTO "events" VALUES(1,1.79585855774008202549e+09,1,1,'change',1,'{"op":{"op":"create","span":[1,3],"text":"p"},"card":"c1","continues":false,"put":[{"id":"c1","name":"P","span":[1,3],"text":"p","named":false,"asked":false,"origin":null}],"drop":[]}');
INSERT INTO "events" VALUES(2,1.79585855775865936272e+09,1,1,'change',2,'{"op":{"op":"text","card":"c1","text":"prime minister; PM"},"card":"c1","continues":true,"put":[{"id":"c1","name":"PRIME-MINISTER","span":[1,3],"text":"prime minister; PM","named":false,"asked":false,"origin":null}],"drop":[]}');
INSERT INTO "events" VALUES(3,1.79585855777111482616e+09,1,1,'change',3,'{"op":{"op":"create","span":[4,6],"text":"(Silvio) Berlusconi"},"card":"c2","continues":false,"put":[{"id":"c2","name":"SILVIO-BERLUSCONI","span":[4,6],"text":"(Silvio) Berlusconi","named":false,"asked":false,"origin":null}],"drop":[]}');
INSERT INTO "events" VALUES(4,1.79585855778465080263e+09,1,1,'change',4,'{"op":{"op":"text","card":"root","text":"the [PRIME-MINISTER] [SILVIO-BERLUSCONI]"},"card":"root","continues":false,"put":[{"id":"root","name":"S","span":[0,6],"text":"the [PRIME-MINISTER] [SILVIO-BERLUSCONI]","named":true,"asked":false,"origin":null}],"drop":[]}');
INSERT INTO "events" VALUES(5,1.79585855779490566252e+09,1,1,'change',5,'{"op":{"op":"create","span":[3,4],"text":"Italian"},"card":"c3","continues":false,"put":[{"id":"c3","name":"ITALIAN","span":[3,4],"text":"Italian","named":false,"asked":false,"origin":null}],"drop":[]}');
INSERT INTO "events" VALUES(6,1.79585855780265045162e+09,1,1,'undo',6,'{}');
INSERT INTO "events" VALUES(7,1.7958585578315782547e+09,1,1,'change',7,'{"op":{"op":"reject","card":"c1","phrase":"premier of","shown":"premier of"},"card":"","continues":false,"put":[],"drop":[],"marks":[{"kind":"reject","done":{"card":"c1","phrase":"premier of"},"undone":{"card":"c1","phrase":"premier of","undone":true}}]}');
INSERT INTO "events" VALUES(8,1.79585855783162927626e+09,1,1,'reject',NULL,'{"card":"c1","phrase":"premier of"}');
INSERT INTO "events" VALUES(9,1.79585855784609961507e+09,1,1,'change',8,'{"op":{"op":"judge","words":["the","prime","minister","Silvio","Berlusconi"],"verdict":"wrong","shown":"the prime minister Silvio Berlusconi"},"card":"","continues":false,"put":[],"drop":[],"marks":[{"kind":"judge","done":{"words":["the","prime","minister","Silvio","Berlusconi"],"verdict":"wrong"},"undone":{"words":["the","prime","minister","Silvio","Berlusconi"],"verdict":null}}]}');
INSERT INTO "events" VALUES(10,1.79585855784615159029e+09,1,1,'judge',NULL,'{"words":["the","prime","minister","Silvio","Berlusconi"],"verdict":"wrong"}');
INSERT INTO "events" VALUES(11,1.79585855785399079323e+09,1,1,'done',NULL,'{"done":true}');
INSERT INTO "events" VALUES(12,1.79585855786205577854e+09,1,3,'done',NULL,'{"done":true}');
INSERT INTO "events" VALUES(13,1.79585855787343502045e+09,2,2,'change',1,'{"op":{"op":"text","card":"root","text":"the black cat"},"card":"root","continues":false,"put":[{"id":"root","name":"S","span":[0,3],"text":"the black cat","named":true,"asked":false,"origin":null}],"drop":[]}');
INSERT INTO "events" VALUES(14,1.79585855799382758139e+09,1,1,'time',NULL,'{"seconds":0.1}');
INSERT INTO "events" VALUES(15,1.79585855800290465351e+09,2,2,'time',NULL,'{"seconds":0.0}');
CREATE TABLE sentences (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents (id), key TEXT NOT NULL UNIQUE,
        unit TEXT NOT NULL, source TEXT NOT NULL);
INSERT INTO "sentences" VALUES(1,1,'0','word','["el","primer","ministro","italiano","Silvio","Berlusconi"]');
INSERT INTO "sentences" VALUES(2,1,'1','word','["el","gato","negro"]');
INSERT INTO "sentences" VALUES(3,1,'2','word','["hola"]');
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "settings" VALUES('target unit','word');
CREATE TABLE states (
        sentence INTEGER NOT NULL, annotator INTEGER NOT NULL, revision INTEGER NOT NULL, cards TEXT NOT NULL,
        PRIMARY KEY (sentence, annotator));
INSERT INTO "states" VALUES(1,1,8,'[{"id":"root","name":"S","span":[0,6],"text":"the [PRIME-MINISTER] [SILVIO-BERLUSCONI]","named":true,"asked":false,"origin":null},{"id":"c1","name":"PRIME-MINISTER","span":[1,3],"text":"prime minister; PM","named":false,"asked":false,"origin":null},{"id":"c2","name":"SILVIO-BERLUSCONI","span":[4,6],"text":"(Silvio) Berlusconi","named":false,"asked":false,"origin":null}]');
INSERT INTO "states" VALUES(2,2,1,'[{"id":"root","name":"S","span":[0,3],"text":"the black cat","named":true,"asked":false,"origin":null}]');
CREATE TABLE texts (
        sentence INTEGER NOT NULL REFERENCES sentences (id), kind TEXT NOT NULL, name TEXT NOT NULL,
        position INTEGER NOT NULL, words TEXT NOT NULL, links TEXT, PRIMARY KEY (sentence, kind, name));
INSERT INTO "texts" VALUES(1,'reference','ref',0,'["the","Italian","prime","minister","Silvio","Berlusconi"]',NULL);
INSERT INTO "texts" VALUES(1,'system','A',1,'["the","premier","of","Italy","Berlusconi"]',NULL);
INSERT INTO "texts" VALUES(2,'reference','ref',0,'["the","black","cat"]',NULL);
INSERT INTO "texts" VALUES(2,'system','A',1,'["a","black","cat"]',NULL);
INSERT INTO "texts" VALUES(3,'reference','ref',0,'["hello"]',NULL);
INSERT INTO "texts" VALUES(3,'system','A',1,'["hi"]',NULL);
CREATE UNIQUE INDEX revisions ON events (sentence, annotator, revision) WHERE revision IS NOT NULL;
CREATE INDEX kinds ON events (kind, sentence, annotator);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',15);
COMMIT;
