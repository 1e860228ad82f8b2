# shellcheck shell=bash
# Bash completion for marelle, written by tools/generate_reference.py.  Source it, or install it as
# /usr/share/bash-completion/completions/marelle.

_marelle_reply() {
    mapfile -t COMPREPLY < <(compgen "$@")
}

_marelle() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local verbs="check format translate info games show analyze symmetry decompose simulate search solve scsp learn match tournament replay player serve look bench experiment ground circuit perft trace-check gdl-perf demo version help"
    local options="--json --seed --threads --time --playouts --kernel --quiet --verbose --help --version"
    local verb="" word

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word != -* ]]; then
            verb=$word
            break
        fi
    done
    if [[ -z $verb ]]; then
        _marelle_reply -W "$verbs --help --version" -- "$current"
        return
    fi

    case "$verb $previous" in
    'check --simulate' | \
        'check --seed' | \
        'check --threads' | \
        'check --time' | \
        'check --playouts' | \
        'format --seed' | \
        'format --threads' | \
        'format --time' | \
        'format --playouts' | \
        'translate --seed' | \
        'translate --threads' | \
        'translate --time' | \
        'translate --playouts' | \
        'info --seed' | \
        'info --threads' | \
        'info --time' | \
        'info --playouts' | \
        'games --seed' | \
        'games --threads' | \
        'games --time' | \
        'games --playouts' | \
        'show --moves' | \
        'show --match' | \
        'show --step' | \
        'show --width' | \
        'show --seed' | \
        'show --threads' | \
        'show --time' | \
        'show --playouts' | \
        'analyze --cpu' | \
        'analyze --seed' | \
        'analyze --threads' | \
        'analyze --time' | \
        'analyze --playouts' | \
        'symmetry --cpu' | \
        'symmetry --seed' | \
        'symmetry --threads' | \
        'symmetry --time' | \
        'symmetry --playouts' | \
        'decompose --explain' | \
        'decompose --moves' | \
        'decompose --psi' | \
        'decompose --theta' | \
        'decompose --phi' | \
        'decompose --omega' | \
        'decompose --seed' | \
        'decompose --threads' | \
        'decompose --time' | \
        'decompose --playouts' | \
        'simulate --steps' | \
        'simulate --seed' | \
        'simulate --threads' | \
        'simulate --time' | \
        'simulate --playouts' | \
        'search --moves' | \
        'search --role' | \
        'search --batch' | \
        'search --leaf-playouts' | \
        'search --memory' | \
        'search --start' | \
        'search --seed' | \
        'search --threads' | \
        'search --time' | \
        'search --playouts' | \
        'solve --seeds' | \
        'solve --level' | \
        'solve --memory' | \
        'solve --seed' | \
        'solve --threads' | \
        'solve --time' | \
        'solve --playouts' | \
        'scsp --horizon' | \
        'scsp --moves' | \
        'scsp --role' | \
        'scsp --threshold' | \
        'scsp --seed' | \
        'scsp --threads' | \
        'scsp --time' | \
        'scsp --playouts' | \
        'learn --matches' | \
        'learn --without' | \
        'learn --effort' | \
        'learn --hidden' | \
        'learn --seed' | \
        'learn --threads' | \
        'learn --time' | \
        'learn --playouts' | \
        'match --startclock' | \
        'match --playclock' | \
        'match --repeat' | \
        'match --steps' | \
        'match --seed' | \
        'match --threads' | \
        'match --time' | \
        'match --playouts' | \
        'tournament --seed' | \
        'tournament --threads' | \
        'tournament --time' | \
        'tournament --playouts' | \
        'replay --match' | \
        'replay --step' | \
        'replay --from' | \
        'replay --to' | \
        'replay --delay' | \
        'replay --width' | \
        'replay --seed' | \
        'replay --threads' | \
        'replay --time' | \
        'replay --playouts' | \
        'player --port' | \
        'player --listen' | \
        'player --margin' | \
        'player --seed' | \
        'player --threads' | \
        'player --time' | \
        'player --playouts' | \
        'serve --port' | \
        'serve --listen' | \
        'serve --token' | \
        'serve --rate' | \
        'serve --matches' | \
        'serve --uploads' | \
        'serve --thinking' | \
        'serve --memory' | \
        'serve --abandoned' | \
        'serve --client-header' | \
        'serve --seed' | \
        'serve --threads' | \
        'serve --time' | \
        'serve --playouts' | \
        'look --limit' | \
        'look --seed' | \
        'look --threads' | \
        'look --time' | \
        'look --playouts' | \
        'bench --seconds' | \
        'bench --messages' | \
        'bench --seed' | \
        'bench --threads' | \
        'bench --time' | \
        'bench --playouts' | \
        'experiment --seeds' | \
        'experiment --clock' | \
        'experiment --parts' | \
        'experiment --workers' | \
        'experiment --seed' | \
        'experiment --threads' | \
        'experiment --time' | \
        'experiment --playouts' | \
        'ground --seed' | \
        'ground --threads' | \
        'ground --time' | \
        'ground --playouts' | \
        'circuit --seed' | \
        'circuit --threads' | \
        'circuit --time' | \
        'circuit --playouts' | \
        'perft --depth' | \
        'perft --memory' | \
        'perft --seed' | \
        'perft --threads' | \
        'perft --time' | \
        'perft --playouts' | \
        'trace-check --build-time' | \
        'trace-check --seed' | \
        'trace-check --threads' | \
        'trace-check --time' | \
        'trace-check --playouts' | \
        'gdl-perf --seed' | \
        'gdl-perf --threads' | \
        'gdl-perf --time' | \
        'gdl-perf --playouts' | \
        'demo --seed' | \
        'demo --threads' | \
        'demo --time' | \
        'demo --playouts' | \
        'version --seed' | \
        'version --threads' | \
        'version --time' | \
        'version --playouts' | \
        'help --seed' | \
        'help --threads' | \
        'help --time' | \
        'help --playouts')
        return
        ;;
    'check --kernel' | \
        'format --kernel' | \
        'translate --kernel' | \
        'info --kernel' | \
        'games --kernel' | \
        'show --kernel' | \
        'analyze --kernel' | \
        'symmetry --kernel' | \
        'decompose --kernel' | \
        'simulate --kernel' | \
        'search --kernel' | \
        'solve --kernel' | \
        'scsp --kernel' | \
        'learn --kernel' | \
        'match --kernel' | \
        'tournament --kernel' | \
        'replay --kernel' | \
        'player --kernel' | \
        'serve --kernel' | \
        'look --kernel' | \
        'experiment --kernel' | \
        'ground --kernel' | \
        'circuit --kernel' | \
        'perft --kernel' | \
        'trace-check --kernel' | \
        'gdl-perf --kernel' | \
        'demo --kernel' | \
        'version --kernel' | \
        'help --kernel')
        _marelle_reply -W 'auto interpreted sse2 avx2 avx512 neon neon-sha3' -- "$current"
        return
        ;;
    'translate --to')
        _marelle_reply -W 'kif infix asp plan' -- "$current"
        return
        ;;
    'show --record' | \
        'decompose --svg' | \
        'scsp --dot' | \
        'scsp --minizinc' | \
        'scsp --xcsp' | \
        'learn --output' | \
        'learn --game' | \
        'learn --draw' | \
        'match --record' | \
        'match --db' | \
        'tournament --db' | \
        'tournament --html' | \
        'tournament --csv' | \
        'replay --game' | \
        'serve --db' | \
        'serve --games' | \
        'experiment --out' | \
        'circuit --aiger' | \
        'circuit --dot')
        compopt -o filenames
        _marelle_reply -f -- "$current"
        return
        ;;
    'decompose --method')
        _marelle_reply -W 'auto rules stats' -- "$current"
        return
        ;;
    'decompose --reasoner' | \
        'search --reasoner' | \
        'learn --reasoner')
        _marelle_reply -W 'auto gpu' -- "$current"
        return
        ;;
    'decompose --dnf')
        _marelle_reply -W 'short long' -- "$current"
        return
        ;;
    'simulate --reasoner' | \
        'bench --reasoner')
        _marelle_reply -W 'auto interpreter scalar incremental sliced gpu' -- "$current"
        return
        ;;
    'search --algo' | \
        'player --strategy')
        _marelle_reply -W 'auto uct grave mast cfr challenge uct-relevant single-player mtmcts multitree mac-ucb mac-ucb-sym baseline-uct baseline-grave baseline-cfr random legal' -- "$current"
        return
        ;;
    'search --parallel')
        _marelle_reply -W 'auto leaf tree root' -- "$current"
        return
        ;;
    'search --merge')
        _marelle_reply -W 'sum sum10 best raw vote' -- "$current"
        return
        ;;
    'solve --algo')
        _marelle_reply -W 'auto exact plan nmcs nrpa uct uct1 mtmcts cds' -- "$current"
        return
        ;;
    'scsp --rule')
        _marelle_reply -W 'maxn paranoid cooperative worst uniform' -- "$current"
        return
        ;;
    'learn --format')
        _marelle_reply -W 'text compact' -- "$current"
        return
        ;;
    'learn --source')
        _marelle_reply -W 'uct guided random' -- "$current"
        return
        ;;
    'learn --states')
        _marelle_reply -W 'ends before all' -- "$current"
        return
        ;;
    'learn --targets')
        _marelle_reply -W 'values final mixed' -- "$current"
        return
        ;;
    'learn --learner')
        _marelle_reply -W 'mlp logistic linear cascade neat neat-taught ga ga-published' -- "$current"
        return
        ;;
    'learn --features')
        _marelle_reply -W 'facts counts rules mined mobility all' -- "$current"
        return
        ;;
    'match --sides')
        _marelle_reply -W 'keep swap' -- "$current"
        return
        ;;
    'bench --kernel')
        _marelle_reply -W 'auto interpreted sse2 avx2 avx512 neon neon-sha3 thread block' -- "$current"
        return
        ;;
    'experiment --tier')
        _marelle_reply -W '1 2 3' -- "$current"
        return
        ;;
    'perft --reasoner')
        _marelle_reply -W 'auto interpreter scalar incremental' -- "$current"
        return
        ;;
    'trace-check --reasoner')
        _marelle_reply -W 'auto interpreter scalar incremental sliced all' -- "$current"
        return
        ;;
    esac

    case $verb in
    check) options+=" --simulate --list-codes" ;;
    format) options+=" --check --in-place" ;;
    translate) options+=" --to" ;;
    show) options+=" --moves --record --match --step --legal --svg --ascii --width" ;;
    analyze) options+=" --cpu" ;;
    symmetry) options+=" --cpu" ;;
    decompose) options+=" --method --svg --explain --board --moves --reasoner --dnf --attempts --psi --theta --phi --omega" ;;
    simulate) options+=" --reasoner --steps" ;;
    search) options+=" --moves --role --algo --batch --leaf-playouts --memory --parallel --merge --reasoner --ignore-steppers --start --explain" ;;
    solve) options+=" --algo --seeds --level --memory" ;;
    scsp) options+=" --horizon --moves --role --rule --count --threshold --dot --minizinc --xcsp --plain --tree" ;;
    learn) options+=" --output --format --source --states --targets --matches --without --learner --features --game --gate --draw --effort --hidden --reasoner --all" ;;
    match) options+=" --startclock --playclock --sides --repeat --record --db --watch --ascii --steps" ;;
    tournament) options+=" --db --html --csv" ;;
    replay) options+=" --game --match --step --from --to --delay --ascii --width" ;;
    player) options+=" --port --listen --strategy --margin --rest --no-learning" ;;
    serve) options+=" --port --listen --db --games --token --rate --matches --uploads --thinking --memory --abandoned --client-header" ;;
    look) options+=" --limit" ;;
    bench) options+=" --reasoner --seconds --kernel --code --messages" ;;
    experiment) options+=" --out --quick --seeds --tier --clock --parts --workers" ;;
    circuit) options+=" --aiger --dot" ;;
    perft) options+=" --depth --reasoner --memory" ;;
    trace-check) options+=" --reasoner --build-time" ;;
    esac
    if [[ $current == -* ]]; then
        _marelle_reply -W "$options" -- "$current"
        return
    fi

    case $verb in
    learn)
        if ((COMP_CWORD == 2)); then
            _marelle_reply -W 'data train test audit selfplay' -- "$current"
            return
        fi
        compopt -o filenames
        _marelle_reply -f -W "$("${COMP_WORDS[0]}" games 2>/dev/null | awk '{ print $1 }')" -- "$current"
        ;;
    check | format | translate | info | show | analyze | symmetry | decompose | simulate | search | solve | scsp | match | bench | ground | circuit | perft | trace-check | gdl-perf)
        compopt -o filenames
        _marelle_reply -f -W "$("${COMP_WORDS[0]}" games 2>/dev/null | awk '{ print $1 }')" -- "$current"
        ;;
    tournament | replay)
        compopt -o filenames
        _marelle_reply -f -- "$current"
        ;;
    experiment)
        _marelle_reply -W "$("${COMP_WORDS[0]}" experiment 2>/dev/null | awk '{ print $1 }')" -- "$current"
        ;;
    help)
        _marelle_reply -W "$verbs" -- "$current"
        ;;
    esac
}

complete -F _marelle marelle
