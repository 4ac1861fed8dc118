"""Small lattices, networks and lists, as each format writes them."""

from __future__ import annotations

MESH = """name utt.1
numaligns 3
posterior 0.95
align 0 we 0.75 *DELETE* 0.25
posterior 0 1
reference 0 we
align 2 how 1
align 1 were 0.5 we're 0.5 gone 0
hyps 1 were 0 3 7
info 1 were 0.1 0.2 -100 -3 w:er 3:4
transposterior 1 0.9
time 1 0.5
"""
WLAT = """version 2
name utt.1
initial 5
final 9
node 5 NULL 0 1 3 0.8 9 0.2
node 3 we 1 0.8 9 0.2 4 0.6
node 4 know 2 0.6 9 0.6
node 9 NULL 3 1
"""
PFSG = """name S
nodes 5 NULL NULL the CITY hat
initial 1
final 0
transitions 5
1 2 -6931
2 3 0
1 4 -2000
3 0 -10
4 0 0
"""
CITY = """
name CITY(duration=2.5)
nodes 4 NULL new york boston
initial 0
final 3
transitions 3
0 1 -100
1 2 0
2 3 0
"""
GRAPH = """4 hyp=0 stack=0
4 hyp=3 stack=1 back=0 score=-1.5 transition=-1.5 forward=7 fscore=-2.5 covered=0-0 out=this
4 hyp=5 stack=2 back=3 score=-2.5 transition=-1 recombined=7 forward=-1 fscore=-2.5 covered=1-2 out=is it
4 hyp=7 stack=2 back=3 score=-2.25 transition=-0.75 forward=-1 fscore=-2.25 covered=1-2 out=was out=it
4 hyp=8 stack=2 back=0 score=-4 transition=-4 forward=-1 fscore=-4 covered=0-2 out=
"""
SPHINX = """# getcwd: .
# -logbase 2.0
#
Frames 30
#
Nodes 5 (NODEID WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME)
0 </s> 20 29 29 ; 0
1 clothes(2) 10 19 19 ; 28
2 ++NOISE++ 10 19 19
3 [SPEECH] 10 19 19
4 well 0 9 9
#
Initial 4
Final 0
#
BestSegAscr 2 (NODEID ENDFRAME ASCORE)
1 19 -5
2 19 -5
#
Edges (FROM-NODEID TO-NODEID ASCORE)
4 1 -1
4 2 -2
2 3 0
3 0 -3
1 0 -4
End
"""
K2 = "0 1 10 0.1\n0 2 0 -0.5\n1 3 -1 0.4\n2 3 -1 0\n3\n"
# Line by line, the text of a test of k2's own (fsa_utils_test.cu, K2TransducerRagged1) without its first output labels.
RAGGED = "0 1 2 [11] -1.2\n0 2  10 [12 0] -2.2\n1 3  3  [] -3.2\n1 6 -1  [13 14] -4.2\n2 6 -1  [ 15 -1 ]-5.2\n" \
    "2 4  2  [] -6.2\n3 6 -1 [16 17 18] -7.2\n5 0  1  [18] -8.2\n6\n"  # fmt: skip


PLF_LINE = "((('a',-1,1),('b',-2,2),),(('c',-1,1),),)\n"
TARGET_GRAPH = """# target ||| features ||| source-covered
3 4
# node 0
1
<s> |||  ||| 0
2
[0] the cat ||| lm=-2.5 tm=-1 ||| 2
[0] a ||| lm=-0.5 ||| 1
# the last
1
[1] [0] </s> ||| lm=-1 x=y=2 ||| 3
"""
CICADA = {
    "rules": ["[A] ||| a", '[A] ||| b "', "[S] ||| [A,2] and [A,1]", "[S] ||| [A]"],
    "nodes": [
        [{"tail": [1, 2], "rule": 3, "feature": {"f": -1.5}}, {"tail": [1], "rule": 4}],
        [{"rule": 1, "feature": {"f": -1}}, {"rule": 2, "attribute": {"span": 3}}],
        [{"rule": 2}],
    ],
    "goal": 0,
}
CDEC_TEXT = (
    '{"rules":[1,"[X] ||| x ||| a",2,"[X] ||| [X] y ||| b [1]"],"features":["f"],'
    '"edges":[{"tail":[],"feats":[0,-1],"rule":1}],"node":{"in_edges":[0]},'
    '"edges":[{"tail":[0],"feats":[],"rule":2}],"node":{"in_edges":[1,0]}}'
)
SCORED = "NBestList1.0\n(-1000) we know\n(-2000) we\n(-3000)\n"
