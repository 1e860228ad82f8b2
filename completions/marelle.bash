# shellcheck shell=bash
# Bash completion for marelle.  Source it, or install it as
# /usr/share/bash-completion/completions/marelle.

_marelle() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local verbs="check format translate info games show analyze symmetry simulate match replay tournament player serve bench experiment ground circuit decompose solve scsp learn perft search trace-check gdl-perf demo version help"
    local common="--json --seed --threads --time --playouts --quiet --verbose --help --version"
    local verb="" word options

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word != -* ]]; then
            verb=$word
            break
        fi
    done

    case $previous in
    --to)
        [[ $verb == translate ]] && mapfile -t COMPREPLY < <(compgen -W "kif infix asp plan" -- "$current")
        return
        ;;
    --reasoner)
        local reasoners="auto interpreter scalar incremental"
        case $verb in
        simulate | bench) reasoners+=" sliced gpu" ;;
        search | decompose) reasoners="auto gpu" ;;
        trace-check) reasoners+=" sliced all" ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W "$reasoners" -- "$current")
        return
        ;;
    --kernel)
        mapfile -t COMPREPLY < <(compgen -W "auto portable avx2 avx512 compiled thread block" -- "$current")
        return
        ;;
    --algo)
        local algos="auto"
        [[ $verb == search ]] && algos="auto uct grave mast cfr challenge uct-relevant single-player mtmcts multitree mac-ucb mac-ucb-sym baseline-uct baseline-grave baseline-cfr random legal"
        [[ $verb == solve ]] && algos="auto exact plan nmcs nrpa uct uct1 mtmcts cds"
        mapfile -t COMPREPLY < <(compgen -W "$algos" -- "$current")
        return
        ;;
    --parallel)
        mapfile -t COMPREPLY < <(compgen -W "auto leaf tree root" -- "$current")
        return
        ;;
    --merge)
        mapfile -t COMPREPLY < <(compgen -W "sum sum10 best raw vote" -- "$current")
        return
        ;;
    --format)
        mapfile -t COMPREPLY < <(compgen -W "text compact" -- "$current")
        return
        ;;
    --source)
        mapfile -t COMPREPLY < <(compgen -W "uct guided random" -- "$current")
        return
        ;;
    --states)
        mapfile -t COMPREPLY < <(compgen -W "ends before all" -- "$current")
        return
        ;;
    --targets)
        mapfile -t COMPREPLY < <(compgen -W "values final mixed" -- "$current")
        return
        ;;
    --features)
        mapfile -t COMPREPLY < <(compgen -W "facts counts rules mined mobility all" -- "$current")
        return
        ;;
    --learner)
        mapfile -t COMPREPLY < <(compgen -W "mlp logistic linear cascade neat neat-taught ga ga-published" -- "$current")
        return
        ;;
    --method)
        mapfile -t COMPREPLY < <(compgen -W "auto rules" -- "$current")
        return
        ;;
    --sides)
        mapfile -t COMPREPLY < <(compgen -W "keep swap" -- "$current")
        return
        ;;
    --strategy)
        mapfile -t COMPREPLY < <(compgen -W "auto uct grave mast cfr challenge uct-relevant single-player mtmcts multitree mac-ucb mac-ucb-sym baseline-uct baseline-grave baseline-cfr random legal" -- "$current")
        return
        ;;
    --aiger | --dot | --output | --svg | --record | --db | --html | --csv | --out | --games | --draw)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    --seed | --repeat | --startclock | --playclock | --port | --listen | --margin | --token | --rate | --uploads | --thinking | --threads | --time | --playouts | --simulate | --steps | --match | --step | --from | --delay | --width | --moves | --seconds | --depth | --memory | --build-time | --cpu | --seeds | --level | --matches | --without | --effort | --hidden)
        return
        ;;
    esac

    if [[ -z $verb ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$current")
        return
    fi

    options=$common
    case $verb in
    check) options+=" --simulate --list-codes" ;;
    format) options+=" --check --in-place" ;;
    translate) options+=" --to" ;;
    show) options+=" --moves --record --match --step --legal --ascii --width" ;;
    analyze) options+=" --cpu" ;;
    symmetry) options+=" --cpu" ;;
    simulate) options+=" --reasoner --steps" ;;
    match) options+=" --startclock --playclock --sides --repeat --record --db --watch --ascii --steps" ;;
    replay) options+=" --game --match --step --from --to --delay --ascii --width" ;;
    tournament) options+=" --db --html --csv" ;;
    player) options+=" --port --listen --strategy --margin --rest --no-learning" ;;
    serve) options+=" --port --listen --db --games --token --rate --matches --uploads --thinking" ;;
    bench) options+=" --reasoner --seconds --kernel --messages" ;;
    experiment) options+=" --out --quick --seeds --tier --clock --parts" ;;
    circuit) options+=" --aiger --dot" ;;
    decompose) options+=" --method --svg --explain --board --moves --reasoner --psi --theta --phi --omega" ;;
    solve) options+=" --algo --seeds --level --memory" ;;
    scsp) options+=" --horizon --role --rule --threshold --dot --minizinc --xcsp --plain --tree" ;;
    learn) options+=" --output --format --source --states --targets --matches --without --learner --effort --hidden --features --game --draw --gate --all --reasoner" ;;
    perft) options+=" --depth --reasoner --memory" ;;
    search) options+=" --moves --role --algo --batch --leaf-playouts --memory --parallel --merge --reasoner --ignore-steppers --start --explain" ;;
    trace-check) options+=" --reasoner --build-time" ;;
    esac

    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        return
    fi
    case $verb in
    check | format | translate | info | show | analyze | symmetry | simulate | match | bench | ground | circuit | decompose | solve | scsp | perft | search | trace-check | gdl-perf)
        compopt -o filenames
        mapfile -t COMPREPLY < <(
            compgen -f -- "$current"
            compgen -W "$("${COMP_WORDS[0]}" games 2>/dev/null | awk '{ print $1 }')" -- "$current"
        )
        ;;
    learn)
        if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W "data train test audit selfplay" -- "$current")
            return
        fi
        compopt -o filenames
        mapfile -t COMPREPLY < <(
            compgen -f -- "$current"
            compgen -W "$("${COMP_WORDS[0]}" games 2>/dev/null | awk '{ print $1 }')" -- "$current"
        )
        ;;
    replay)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        ;;
    tournament)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$current")
        ;;
    experiment)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" experiment 2>/dev/null | awk '{ print $1 }')" -- "$current")
        ;;
    help)
        mapfile -t COMPREPLY < <(compgen -W "$verbs searches" -- "$current")
        ;;
    esac
}

complete -F _marelle marelle
