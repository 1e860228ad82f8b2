# Fish completion for marelle.  Install it in ~/.config/fish/completions/.

function __marelle_games
    marelle games 2>/dev/null | awk '{ print $1 }'
end

set -l game_verbs check format translate info simulate bench ground circuit perft trace-check gdl-perf

complete -c marelle -n __fish_use_subcommand -f -a check -d 'check that game descriptions are well formed'
complete -c marelle -n __fish_use_subcommand -f -a format -d 'print a game description in the house layout'
complete -c marelle -n __fish_use_subcommand -f -a translate -d 'print a game description in another syntax'
complete -c marelle -n __fish_use_subcommand -f -a info -d 'say what a game consists of'
complete -c marelle -n __fish_use_subcommand -f -a games -d 'list the built-in games'
complete -c marelle -n __fish_use_subcommand -f -a simulate -d 'play random matches and say what they are like'
complete -c marelle -n __fish_use_subcommand -f -a bench -d 'measure how fast random matches are played'
complete -c marelle -n __fish_use_subcommand -f -a ground -d 'count the ground rules of a game'
complete -c marelle -n __fish_use_subcommand -f -a circuit -d 'turn a game into a circuit and count its gates'
complete -c marelle -n __fish_use_subcommand -f -a perft -d 'count positions and move sequences by depth'
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
complete -c marelle -n '__fish_seen_subcommand_from bench' -l seconds -x -d 'time to play for'
complete -c marelle -n '__fish_seen_subcommand_from bench' -l kernel -x \
    -a 'auto portable avx2 avx512 compiled' -d 'how gates are evaluated'
complete -c marelle -n '__fish_seen_subcommand_from circuit' -l aiger -r -d 'write the circuit in AIGER format'
complete -c marelle -n '__fish_seen_subcommand_from circuit' -l dot -r -d 'write a drawing for graphviz'
complete -c marelle -n '__fish_seen_subcommand_from perft' -l depth -x -d 'joint moves to make'
complete -c marelle -n '__fish_seen_subcommand_from perft' -l reasoner -x \
    -a 'auto interpreter scalar incremental' -d 'who reasons'
complete -c marelle -n '__fish_seen_subcommand_from perft' -l memory -x -d 'megabytes for positions'
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
