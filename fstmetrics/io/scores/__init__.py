"""Files of scores: human judgments, WMT's files, rankings, MQM, tables of metrics."""
