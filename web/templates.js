// Rules to begin with in the editor, one for each kind of game.
export const TEMPLATES = [
  ["counting", `; Count to ten: take one or two in turn; whoever says ten wins.
(role first)
(role second)
(init (count 0))
(init (control first))

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(other first second)
(other second first)

(<= (plus 1 ?n ?m) (succ ?n ?m))
(<= (plus 2 ?n ?m) (succ ?n ?k) (succ ?k ?m))

(<= (legal ?r (say ?m))
    (true (control ?r))
    (true (count ?n))
    (plus ?step ?n ?m))
(<= (legal ?r wait)
    (true (control ?o))
    (other ?o ?r))

(<= (next (count ?m)) (does ?r (say ?m)))
(<= (next (control ?r)) (true (control ?o)) (other ?o ?r))

(<= terminal (true (count 10)))
(<= (goal ?r 100) (true (count 10)) (true (control ?o)) (other ?o ?r))
(<= (goal ?r 0) (true (count 10)) (true (control ?r)))
(<= (goal ?r 50) (role ?r) (not terminal))
`],
  ["placing", `; Put a stone of your own on an empty square in turn; the fourth in a row wins.
; Change the size of the board, or what a row is worth.
(role black)
(role white)
(opponent black white)
(opponent white black)
(index 1) (index 2) (index 3) (index 4) (index 5)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)

(init (control black))
(<= (init (cell ?x ?y empty)) (index ?x) (index ?y))

(<= (legal ?p (place ?x ?y)) (true (control ?p)) (true (cell ?x ?y empty)))
(<= (legal ?p noop) (true (control ?q)) (opponent ?p ?q))

(<= (next (cell ?x ?y ?p)) (does ?p (place ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c empty))
(<= (next (cell ?x ?y empty)) (true (cell ?x ?y empty)) (not (taken ?x ?y)))
(<= (taken ?x ?y) (does ?p (place ?x ?y)))
(<= (next (control ?p)) (true (control ?q)) (opponent ?p ?q))

(<= (four ?p) (role ?p) (true (cell ?a ?y ?p)) (succ ?a ?b) (true (cell ?b ?y ?p))
    (succ ?b ?c) (true (cell ?c ?y ?p)) (succ ?c ?d) (true (cell ?d ?y ?p)))
(<= (four ?p) (role ?p) (true (cell ?x ?a ?p)) (succ ?a ?b) (true (cell ?x ?b ?p))
    (succ ?b ?c) (true (cell ?x ?c ?p)) (succ ?c ?d) (true (cell ?x ?d ?p)))
(<= someone (four ?p))
(<= open (true (cell ?x ?y empty)))

(<= terminal someone)
(<= terminal (not open))
(<= (goal ?p 100) (four ?p))
(<= (goal ?p 0) (opponent ?p ?q) (four ?q))
(<= (goal ?p 50) (role ?p) (not someone))
`],
  ["moving", `; Move a man one step forward, straight or slanting; a slanting step may capture. Who reaches the far
; row wins, and so does who leaves the other without a move.
(role white)
(role black)
(opponent white black)
(opponent black white)
(index 1) (index 2) (index 3) (index 4) (index 5)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (forward white ?y ?z) (succ ?y ?z))
(<= (forward black ?y ?z) (succ ?z ?y))
(<= (beside ?x ?z) (succ ?x ?z))
(<= (beside ?x ?z) (succ ?z ?x))

(init (control white))
(<= (init (cell ?x 1 white)) (index ?x))
(<= (init (cell ?x 5 black)) (index ?x))

(<= (occupied ?x ?y) (true (cell ?x ?y ?p)))
(<= (can ?p (move ?x ?y ?x ?z)) (true (cell ?x ?y ?p)) (forward ?p ?y ?z) (not (occupied ?x ?z)))
(<= (can ?p (move ?x ?y ?v ?z)) (true (cell ?x ?y ?p)) (forward ?p ?y ?z) (beside ?x ?v)
    (not (true (cell ?v ?z ?p))))
(<= (legal ?p ?m) (true (control ?p)) (can ?p ?m))
(<= (legal ?p noop) (true (control ?q)) (opponent ?p ?q))

(<= (next (cell ?v ?z ?p)) (does ?p (move ?x ?y ?v ?z)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (left ?x ?y)) (not (entered ?x ?y)))
(<= (left ?x ?y) (does ?p (move ?x ?y ?v ?z)))
(<= (entered ?v ?z) (does ?p (move ?x ?y ?v ?z)))
(<= (next (control ?p)) (true (control ?q)) (opponent ?p ?q))

(<= (arrived white) (true (cell ?x 5 white)))
(<= (arrived black) (true (cell ?x 1 black)))
(<= (mobile ?p) (can ?p ?m))
(<= (wins ?p) (arrived ?p))
(<= (wins ?q) (true (control ?p)) (opponent ?p ?q) (not (mobile ?p)) (not (arrived ?p)))
(<= terminal (wins ?p))
(<= (goal ?p 100) (wins ?p))
(<= (goal ?p 0) (opponent ?p ?q) (wins ?q))
(<= (goal ?p 50) (role ?p) (not terminal))
`],
  ["a puzzle", `; Press the lamps of a ring: each press turns the lamp and its two neighbours. All of them shall shine.
; You have eight presses.
(role robot)
(lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5)
(near 1 2) (near 2 3) (near 3 4) (near 4 5) (near 5 1)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)

(init (step 0))
(init (shines 2))

(<= (legal robot (press ?l)) (lamp ?l))

(<= (turned ?l) (does robot (press ?l)))
(<= (turned ?l) (does robot (press ?k)) (near ?k ?l))
(<= (turned ?l) (does robot (press ?k)) (near ?l ?k))
(<= (next (shines ?l)) (true (shines ?l)) (not (turned ?l)))
(<= (next (shines ?l)) (turned ?l) (not (true (shines ?l))))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))

(<= dark (lamp ?l) (not (true (shines ?l))))
(<= terminal (not dark))
(<= terminal (true (step 8)))
(<= (goal robot 100) (not dark))
(<= (goal robot 0) dark)
`],
  ["dice", `; Roll as long as you dare: every roll counts, but a one ends your go with nothing. Who stops with more
; wins; five rolls are the most.
(role ann)
(role random)
(face 1) (face 2) (face 3) (face 4)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(worth 0 0) (worth 1 20) (worth 2 40) (worth 3 60) (worth 4 80) (worth 5 100)

(init (rolls 0))
(init (control ann))

(<= (legal ann roll) (true (control ann)))
(<= (legal ann stop) (true (control ann)))
(<= (legal ann noop) (true (control random)))
(<= (legal random (show ?f)) (true (control random)) (face ?f))
(<= (legal random noop) (true (control ann)))

(<= (next (control random)) (does ann roll))
(<= (next stopped) (does ann stop))
(<= (next (rolls ?n)) (true (rolls ?n)) (true (control ann)))
(<= (next (control ann)) (does random (show ?f)) (distinct ?f 1))
(<= (next (rolls ?m)) (does random (show ?f)) (distinct ?f 1) (true (rolls ?n)) (succ ?n ?m))
(<= (next (rolls 0)) (does random (show 1)))
(<= (next stopped) (does random (show 1)))

(<= terminal (true stopped))
(<= terminal (true (rolls 5)))
(<= (goal ann ?v) (true (rolls ?n)) (worth ?n ?v))
(goal random 50)
`],
];
