# Fish completion for marelle.  Install it in ~/.config/fish/completions/.

function __marelle_games
    marelle games 2>/dev/null | awk '{ print $1 }'
end

set -l game_verbs check format translate info simulate match bench ground circuit solve perft search trace-check gdl-perf

complete -c marelle -n __fish_use_subcommand -f -a check -d 'check that game descriptions are well formed'
complete -c marelle -n __fish_use_subcommand -f -a format -d 'print a game description in the house layout'
complete -c marelle -n __fish_use_subcommand -f -a translate -d 'print a game description in another syntax'
complete -c marelle -n __fish_use_subcommand -f -a info -d 'say what a game consists of'
complete -c marelle -n __fish_use_subcommand -f -a games -d 'list the built-in games'
complete -c marelle -n __fish_use_subcommand -f -a simulate -d 'play random matches and say what they are like'
complete -c marelle -n __fish_use_subcommand -f -a match -d 'referee a match among players'
complete -c marelle -n __fish_use_subcommand -f -a player -d 'play over the network, as managers ask'
complete -c marelle -n __fish_use_subcommand -f -a bench -d 'measure how fast random matches are played'
complete -c marelle -n __fish_use_subcommand -f -a ground -d 'count the ground rules of a game'
complete -c marelle -n __fish_use_subcommand -f -a circuit -d 'turn a game into a circuit and count its gates'
complete -c marelle -n __fish_use_subcommand -f -a solve -d 'find the value of a game, or a line to the best goal'
complete -c marelle -n __fish_use_subcommand -f -a perft -d 'count positions and move sequences by depth'
complete -c marelle -n __fish_use_subcommand -f -a search -d 'find the best move in a position'
complete -c marelle -n __fish_use_subcommand -f -a trace-check -d 'compare a reasoner with recorded matches'
complete -c marelle -n __fish_use_subcommand -f -a gdl-perf -d 'take part in the gdl-perf benchmark'
complete -c marelle -n __fish_use_subcommand -f -a demo -d 'a short tour'
complete -c marelle -n __fish_use_subcommand -f -a version -d 'print the version'
complete -c marelle -n __fish_use_subcommand -f -a help -d 'explain a verb'

complete -c marelle -n "__fish_seen_subcommand_from $game_verbs" -a '(__marelle_games)' -d 'built-in game'
complete -c marelle -n '__fish_seen_subcommand_from check' -l simulate -x -d 'play random matches as well'
complete -c marelle -n '__fish_seen_subcommand_from check' -l list-codes -d 'list every code a diagnostic can have'
complete -c marelle -n '__fish_seen_subcommand_from format' -l check -d 'only name files that would change'
complete -c marelle -n '__fish_seen_subcommand_from format' -s i -l in-place -d 'write the result back'
complete -c marelle -n '__fish_seen_subcommand_from translate' -l to -x -a 'kif infix asp' -d 'target syntax'
complete -c marelle -n '__fish_seen_subcommand_from simulate bench' -l reasoner -x \
    -a 'auto interpreter scalar incremental sliced' -d 'who reasons'
complete -c marelle -n '__fish_seen_subcommand_from simulate' -l steps -x -d 'turns after which a match is given up'
complete -c marelle -n '__fish_seen_subcommand_from match' -l startclock -x -d 'seconds to prepare'
complete -c marelle -n '__fish_seen_subcommand_from match' -l playclock -x -d 'seconds a move'
complete -c marelle -n '__fish_seen_subcommand_from match' -l sides -x -a 'keep swap' -d 'a second match exchanges the roles'
complete -c marelle -n '__fish_seen_subcommand_from match' -l record -r -d 'write the record as JSON'
complete -c marelle -n '__fish_seen_subcommand_from match' -l steps -x -d 'turns after which a match is given up'
complete -c marelle -n '__fish_seen_subcommand_from match' -a 'auto uct grave mast solo random legal human http://' -d player
complete -c marelle -n '__fish_seen_subcommand_from player' -s p -l port -x -d 'port to listen on'
complete -c marelle -n '__fish_seen_subcommand_from player' -l listen -x -d 'address to listen on'
complete -c marelle -n '__fish_seen_subcommand_from player' -l strategy -x -a 'auto uct grave mast solo random legal' -d 'search to play with'
complete -c marelle -n '__fish_seen_subcommand_from player' -l margin -x -d 'seconds to answer before a deadline'
complete -c marelle -n '__fish_seen_subcommand_from player' -l rest -d 'do not think in the opponents time'
complete -c marelle -n '__fish_seen_subcommand_from bench' -l seconds -x -d 'time to play for'
complete -c marelle -n '__fish_seen_subcommand_from bench' -l kernel -x \
    -a 'auto portable avx2 avx512 compiled' -d 'how gates are evaluated'
complete -c marelle -n '__fish_seen_subcommand_from circuit' -l aiger -r -d 'write the circuit in AIGER format'
complete -c marelle -n '__fish_seen_subcommand_from circuit' -l dot -r -d 'write a drawing for graphviz'
complete -c marelle -n '__fish_seen_subcommand_from solve' -l algo -x \
    -a 'auto exact nmcs nrpa uct uct1 mtmcts' -d 'how to solve'
complete -c marelle -n '__fish_seen_subcommand_from solve' -l seeds -x -d 'runs of a random method'
complete -c marelle -n '__fish_seen_subcommand_from solve' -l level -x -d 'of nested searches'
complete -c marelle -n '__fish_seen_subcommand_from solve' -l memory -x -d 'megabytes for states'
complete -c marelle -n '__fish_seen_subcommand_from perft' -l depth -x -d 'joint moves to make'
complete -c marelle -n '__fish_seen_subcommand_from perft' -l reasoner -x \
    -a 'auto interpreter scalar incremental' -d 'who reasons'
complete -c marelle -n '__fish_seen_subcommand_from perft' -l memory -x -d 'megabytes for positions'
complete -c marelle -n '__fish_seen_subcommand_from search' -l moves -x -d 'joint moves made before'
complete -c marelle -n '__fish_seen_subcommand_from search' -l role -x -d 'who moves'
complete -c marelle -n '__fish_seen_subcommand_from search' -l algo -x -a 'auto uct grave mast solo random legal' -d 'how to search'
complete -c marelle -n '__fish_seen_subcommand_from search' -l batch -x -d 'leaves gathered for one pass'
complete -c marelle -n '__fish_seen_subcommand_from search' -l leaf-playouts -x -d 'play-outs for each leaf'
complete -c marelle -n '__fish_seen_subcommand_from search' -l memory -x -d 'megabytes for the tree'
complete -c marelle -n '__fish_seen_subcommand_from search' -l explain -d 'say why'
complete -c marelle -n '__fish_seen_subcommand_from trace-check' -l reasoner -x \
    -a 'auto interpreter scalar incremental sliced all' -d 'who answers'
complete -c marelle -n '__fish_seen_subcommand_from trace-check' -l build-time -x -d 'CPU seconds for the circuit'

complete -c marelle -l json -d 'print JSON'
complete -c marelle -l seed -x -d 'seed of everything random'
complete -c marelle -l threads -x -d 'number of threads'
complete -c marelle -l time -x -d 'wall-clock budget in seconds'
complete -c marelle -l playouts -x -d 'budget of random matches'
complete -c marelle -l quiet -d 'say less'
complete -c marelle -l verbose -d 'say more'
complete -c marelle -l help -d explain
complete -c marelle -l version -d 'print the version'
