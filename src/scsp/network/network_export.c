/* Writes networks. Both formats have the same order: variables with their meaning as a comment,
 * tables, clauses, payments. */
#include "scsp/network/network_export.h"

#include "base/bitset.h"

static void write_meaning(const Template *t, const ScspVariable *x, Text *out) {
    text_printf(out, "turn %u: ", x->turn + 1);
    template_write_variable(t, x, out);
}

static bool is_allowed(const ScspVariable *x, uint32_t value) {
    return !x->allowed || bitset_get(x->allowed, value);
}

/* Writes the values of a variable with a separator. */
static void write_domain(const ScspVariable *x, const char *separator, Text *out) {
    bool is_first = true;
    for (uint32_t v = 0; v < x->size; v++)
        if (is_allowed(x, v)) {
            text_printf(out, "%s%u", is_first ? "" : separator, v);
            is_first = false;
        }
}

/* Writes `x1 = 2 /\ x3 = 0` for the columns that are not open. */
static void write_minizinc_row(const TableRows *rows, const uint32_t *scope, uint32_t row,
                               Text *out) {
    bool is_first = true;
    for (uint32_t k = 0; k < rows->arity; k++) {
        uint16_t value = rows->values[(size_t)row * rows->arity + k];
        if (value == VALUE_ANY)
            continue;
        text_printf(out, "%sx%u = %u", is_first ? "" : " /\\ ", scope[k], value);
        is_first = false;
    }
    text_add(out, is_first ? "true" : "");
}

/* Returns the first value from `from` on that the row allows in a column; the size if none. */
static uint32_t next_in_column(const ScspVariable *x, uint16_t value, uint32_t from) {
    if (value != VALUE_ANY)
        return from <= value ? value : x->size;
    while (from < x->size && !is_allowed(x, from))
        from++;
    return from;
}

/* Writes all rows that a row with open columns stands for. Returns their number. */
static uint64_t write_minizinc_rows(const Scsp *n, const uint32_t *scope, const uint16_t *row,
                                    uint32_t arity, Text *out) {
    uint32_t *values = memory_alloc((arity + 1) * sizeof *values);
    uint64_t count = 0;
    bool goes_on = true;
    for (uint32_t k = 0; k < arity; k++) {
        values[k] = next_in_column(&n->variables.items[scope[k]], row[k], 0);
        goes_on &= values[k] < n->variables.items[scope[k]].size;
    }
    while (goes_on) {
        count++;
        for (uint32_t k = 0; k < arity; k++)
            text_printf(out, "%u,", values[k]);
        goes_on = false;
        for (uint32_t k = arity; k-- > 0 && !goes_on;) {
            const ScspVariable *x = &n->variables.items[scope[k]];
            uint32_t next = next_in_column(x, row[k], values[k] + 1);
            goes_on = next < x->size;
            values[k] = goes_on ? next : next_in_column(x, row[k], 0);
        }
    }
    free(values);
    return count;
}

static void write_minizinc_table(const Scsp *n, const ScspTable *table, Text *out) {
    const TableRows *rows = table->rows;
    const uint32_t *scope = scsp_scope(n, table->first_scope);
    Text cells = {0};
    uint64_t count = 0;
    for (uint32_t r = 0; r < rows->count; r++)
        count += write_minizinc_rows(n, scope, rows->values + (size_t)r * rows->arity, rows->arity,
                                     &cells);
    text_add(out, "constraint table([");
    for (uint32_t k = 0; k < rows->arity; k++)
        text_printf(out, "%sx%u", k ? "," : "", scope[k]);
    text_printf(out, "], array2d(1..%llu, 1..%u, [%s]));\n", (unsigned long long)count, rows->arity,
                text_string(&cells));
    vector_free(&cells);
}

static void write_minizinc_payments(const Scsp *n, uint32_t player, Text *out) {
    text_add(out, "var int: paid = 0");
    for (size_t i = 0; i < n->softs.count; i++) {
        const ScspSoft *soft = &n->softs.items[i];
        for (uint32_t r = 0; r < soft->rows->count && soft->player == player; r++) {
            text_printf(out, "\n  + %d * bool2int(", (int)soft->amounts[r]);
            write_minizinc_row(soft->rows, scsp_scope(n, soft->first_scope), r, out);
            text_add_char(out, ')');
        }
    }
    text_add(out, ";\nsolve maximize paid;\n");
}

void export_minizinc(const Template *t, const Scsp *n, uint32_t player, Text *out) {
    text_printf(out, "%% %zu variables, %zu tables, %zu clauses; %zu functions are left out\n",
                n->variables.count, n->tables.count, n->clauses.count, n->functions.count);
    text_printf(out, "%% amounts are parts of %u; chance is free\ninclude \"table.mzn\";\n",
                n->unit);
    for (uint32_t x = 0; x < n->variables.count; x++) {
        text_add(out, "var {");
        write_domain(&n->variables.items[x], ",", out);
        text_printf(out, "}: x%u; %% ", x);
        write_meaning(t, &n->variables.items[x], out);
        text_add_char(out, '\n');
    }
    for (size_t i = 0; i < n->tables.count; i++)
        write_minizinc_table(n, &n->tables.items[i], out);
    for (size_t i = 0; i < n->clauses.count; i++) {
        const ScspClause *c = &n->clauses.items[i];
        text_add(out, "constraint ");
        for (uint32_t k = 0; k < c->count; k++) {
            ScspLiteral l = n->literals.items[c->first + k];
            text_printf(out, "%sx%u %s %u", k ? " \\/ " : "", l.variable,
                        l.is_equal ? "=" : "!=", l.value);
        }
        text_add(out, c->count ? ";\n" : "false;\n");
    }
    write_minizinc_payments(n, player, out);
}

static void write_xcsp_variables(const Template *t, const Scsp *n, Text *out) {
    text_add(out, "<variables>\n");
    for (uint32_t x = 0; x < n->variables.count; x++) {
        Text meaning = {0};
        write_meaning(t, &n->variables.items[x], &meaning);
        text_printf(out, "<var id=\"x%u\" note=\"", x);
        text_add_markup(out, text_string(&meaning));
        text_add(out, "\"> ");
        write_domain(&n->variables.items[x], " ", out);
        text_add(out, " </var>\n");
        vector_free(&meaning);
    }
    text_add(out, "</variables>\n");
}

static void write_xcsp_table(const Scsp *n, const ScspTable *table, Text *out) {
    const TableRows *rows = table->rows;
    const uint32_t *scope = scsp_scope(n, table->first_scope);
    text_add(out, "<extension><list>");
    for (uint32_t k = 0; k < rows->arity; k++)
        text_printf(out, " x%u", scope[k]);
    text_add(out, " </list><supports> ");
    for (uint32_t r = 0; r < rows->count; r++)
        for (uint32_t k = 0; k < rows->arity; k++) {
            uint16_t value = rows->values[(size_t)r * rows->arity + k];
            bool is_pair = rows->arity > 1;
            text_add(out, is_pair ? k ? "," : "(" : "");
            if (value == VALUE_ANY)
                text_add_char(out, '*');
            else
                text_printf(out, "%u", value);
            text_add(out, k + 1 < rows->arity ? "" : is_pair ? ")" : " ");
        }
    text_add(out, " </supports></extension>\n");
}

static void write_xcsp_clause(const Scsp *n, const ScspClause *c, Text *out) {
    text_add(out, c->count > 1 ? "<intension> or(" : "<intension> ");
    for (uint32_t k = 0; k < c->count; k++) {
        ScspLiteral l = n->literals.items[c->first + k];
        text_printf(out, "%s%s(x%u,%u)", k ? "," : "", l.is_equal ? "eq" : "ne", l.variable,
                    l.value);
    }
    text_add(out, c->count > 1 ? ") </intension>\n" : " </intension>\n");
}

/* Writes payments. They are tables of two columns, (terminal, score), or of any others. */
static void write_xcsp_payments(const Scsp *n, uint32_t player, Text *out) {
    text_add(out, "<objectives>\n<maximize> add(0,0");
    for (size_t i = 0; i < n->softs.count; i++) {
        const ScspSoft *soft = &n->softs.items[i];
        const uint32_t *scope = scsp_scope(n, soft->first_scope);
        for (uint32_t r = 0; r < soft->rows->count && soft->player == player; r++) {
            text_printf(out, ",mul(%d,and(eq(x%u,x%u)", (int)soft->amounts[r], scope[0], scope[0]);
            for (uint32_t k = 0; k < soft->rows->arity; k++) {
                uint16_t value = soft->rows->values[(size_t)r * soft->rows->arity + k];
                if (value != VALUE_ANY)
                    text_printf(out, ",eq(x%u,%u)", scope[k], value);
            }
            text_add(out, "))");
        }
    }
    text_add(out, ") </maximize>\n</objectives>\n");
}

void export_xcsp(const Template *t, const Scsp *n, uint32_t player, Text *out) {
    text_add(out, "<instance format=\"XCSP3\" type=\"COP\">\n");
    text_printf(out,
                "<!-- amounts are parts of %u; chance is free; %zu functions are left out -->\n",
                n->unit, n->functions.count);
    write_xcsp_variables(t, n, out);
    text_add(out, "<constraints>\n");
    for (size_t i = 0; i < n->tables.count; i++)
        write_xcsp_table(n, &n->tables.items[i], out);
    for (size_t i = 0; i < n->clauses.count; i++)
        write_xcsp_clause(n, &n->clauses.items[i], out);
    text_add(out, "</constraints>\n");
    write_xcsp_payments(n, player, out);
    text_add(out, "</instance>\n");
}
