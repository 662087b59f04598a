/* Automata of LTL against those of SPIN (spin -f), where it is installed: the same words are accepted.
 *
 * logic_spin_test [COUNT [SEED]] compares more formulas. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "logic_words.h"

enum { ATOMS = 3, LETTERS = 1 << ATOMS, MOST_STATES = 512 };

static uint64_t formula_count = 200, first_seed = 1;

/* SPIN's words for a formula. */
static void write_wish(const struct wish *wish, struct text *out)
{
    static const char *const prefix[] = {"", "", "", "!", "X", "<>", "[]", "", "", "", ""};
    static const char *const infix[] = {"", "", "", "", "", "", "", " && ", " || ", " U ", " V "};
    text_append(out, prefix[wish->kind]);
    text_append(out, "(");
    if (wish->kind == WISH_ATOM)
        text_char(out, (char)('a' + wish->atom));
    else if (wish->kind <= WISH_TRUE)
        text_append(out, wish->kind == WISH_TRUE ? "true" : "false");
    if (wish->left)
        write_wish(wish->left, out);
    text_append(out, infix[wish->kind]);
    if (wish->right)
        write_wish(wish->right, out);
    text_append(out, ")");
}

/* A never claim: states by name, perhaps several for one; the labels are read as sets of letters, bit i for letter i.
 */
struct claim {
    char names[MOST_STATES][24];
    uint32_t state_of[MOST_STATES]; /* a name */
    uint32_t name_count, count;
    uint32_t state; /* whose lines are read */
    bool is_named;  /* the last line was its name */
    bool is_accepting[MOST_STATES];
    VEC(struct automaton_edge) edges[MOST_STATES];
};

static uint32_t claim_state(struct claim *claim, const char *text)
{
    size_t length = strcspn(text, " :\n"), name = 0;
    while (name < claim->name_count &&
           (strlen(claim->names[name]) != length || strncmp(claim->names[name], text, length) != 0))
        name++;
    if (name == claim->name_count) {
        assert_true(claim->name_count < MOST_STATES && length < sizeof claim->names[0]);
        memcpy(claim->names[claim->name_count++], text, length);
        claim->state_of[name] = claim->is_named ? claim->state : claim->count++;
    }
    assert_true(!claim->is_named || claim->state_of[name] == claim->state);
    claim->is_accepting[claim->state_of[name]] |= strncmp(text, "accept", 6) == 0;
    return claim->state_of[name];
}

static uint32_t letters_or(const char **text);

static uint32_t letters_of_atom(uint32_t atom)
{
    uint32_t letters = 0;
    for (uint32_t letter = 0; letter < LETTERS; letter++)
        letters |= (letter >> atom & 1) << letter;
    return letters;
}

static void skip_blanks(const char **text)
{
    while (**text == ' ')
        ++*text;
}

static bool skip_word(const char **text, const char *word)
{
    bool is_there = strncmp(*text, word, strlen(word)) == 0;
    *text += is_there ? strlen(word) : 0;
    return is_there;
}

static uint32_t letters_operand(const char **text)
{
    skip_blanks(text);
    if (skip_word(text, "true"))
        return (1u << LETTERS) - 1;
    if (skip_word(text, "false"))
        return 0;
    char c = *(*text)++;
    if (c == '!')
        return ~letters_operand(text) & ((1u << LETTERS) - 1);
    if (c != '(')
        return isdigit((unsigned char)c) ? (c == '1' ? (1u << LETTERS) - 1 : 0) : letters_of_atom((uint32_t)(c - 'a'));
    uint32_t letters = letters_or(text);
    skip_blanks(text);
    assert_int_equal(*(*text)++, ')');
    return letters;
}

static uint32_t letters_and(const char **text)
{
    uint32_t letters = letters_operand(text);
    for (skip_blanks(text); strncmp(*text, "&&", 2) == 0; skip_blanks(text)) {
        *text += 2;
        letters &= letters_operand(text);
    }
    return letters;
}

static uint32_t letters_or(const char **text)
{
    uint32_t letters = letters_and(text);
    for (skip_blanks(text); strncmp(*text, "||", 2) == 0; skip_blanks(text)) {
        *text += 2;
        letters |= letters_and(text);
    }
    return letters;
}

static void claim_edges(struct claim *claim, uint32_t source, uint32_t letters, uint32_t target)
{
    for (uint32_t letter = 0; letter < LETTERS; letter++)
        if (letters >> letter & 1) {
            struct automaton_edge edge = {{letter, ~letter & (LETTERS - 1)}, claim->is_accepting[source], target};
            VEC_PUSH(&claim->edges[source], edge);
        }
}

/* "NAME:", ":: LABEL -> goto NAME", ":: atomic { LABEL -> assert(...) }" (all that follows is accepted), or "skip" (for
 * ever). */
static void read_line(struct claim *claim, char *line)
{
    const char *begin = line + strspn(line, " \t\n"), *arrow = strstr(begin, "-> ");
    if (*begin && begin[strcspn(begin, "\n") - 1] == ':') {
        claim->state = claim_state(claim, begin);
        claim->is_named = true;
        return;
    }
    claim->is_named = false;
    if (skip_word(&begin, "::") && arrow) {
        skip_blanks(&begin);
        skip_word(&begin, "atomic {");
        uint32_t letters = letters_or(&begin);
        arrow += strlen("-> ");
        claim_edges(claim, claim->state, letters,
                    claim_state(claim, skip_word(&arrow, "goto ") ? arrow : "accept_all"));
    } else if (skip_word(&begin, "skip")) {
        claim_edges(claim, claim->state, (1u << LETTERS) - 1, claim->state);
    }
}

static struct automaton *claim_automaton(struct claim *claim)
{
    struct automaton *automaton = memory_zeroed(1, sizeof *automaton);
    uint32_t edge = 0, count = 0;
    for (uint32_t state = 0; state < claim->count; state++)
        count += (uint32_t)claim->edges[state].count;
    automaton->mark_count = 1;
    automaton->state_count = claim->count;
    automaton->first = memory_zeroed(claim->count + 1, sizeof *automaton->first);
    automaton->edges = memory_zeroed(count + 1, sizeof *automaton->edges);
    for (uint32_t state = 0; state < claim->count; state++) {
        automaton->first[state] = edge;
        for (size_t i = 0; i < claim->edges[state].count; i++)
            automaton->edges[edge++] = claim->edges[state].items[i];
        VEC_FREE(&claim->edges[state]);
    }
    automaton->first[claim->count] = edge;
    return automaton;
}

static struct automaton *spin_automaton(const struct wish *wish)
{
    struct text command = {0};
    char line[8192];
    struct claim *claim = memory_zeroed(1, sizeof *claim);
    text_append(&command, "spin -f '");
    write_wish(wish, &command);
    text_append(&command, "'");
    FILE *pipe = popen(text_chars(&command), "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        assert_non_null(strchr(line, '\n'));
        read_line(claim, line);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_true(claim->count > 0);
    struct automaton *automaton = claim_automaton(claim);
    free(claim);
    text_free(&command);
    return automaton;
}

static void differ(uint64_t seed, const struct wish *wish)
{
    struct text formula = {0};
    write_wish(wish, &formula);
    fail_msg("seed %llu: the automaton differs from SPIN's for %s", (unsigned long long)seed, text_chars(&formula));
}

static void compare(uint64_t seed)
{
    struct wishes wishes = {.count = 0};
    struct logic *logic = logic_create();
    uint64_t start = seed;
    const struct wish *wish = random_wish(&wishes, &seed, 2 + seed % 8, ATOMS);
    for (uint32_t i = 0; i < wishes.count; i++) /* the usual SPIN has no X */
        wishes.items[i].kind = wishes.items[i].kind == WISH_NEXT ? WISH_ALWAYS : wishes.items[i].kind;
    struct automaton *ours = automaton_create(logic, wish_formula(logic, wish), 1000), *other = spin_automaton(wish);
    assert_non_null(ours);
    for (int i = 0; i < 20; i++) {
        struct word word = random_word(&seed, ATOMS);
        if (accepts(ours, &word) != accepts(other, &word))
            differ(start, wish);
    }
    automaton_destroy(ours);
    automaton_destroy(other);
    logic_destroy(logic);
}

static void languages_are_those_of_spin(void **state)
{
    (void)state;
    if (system("command -v spin >/dev/null 2>&1") != 0)
        skip();
    for (uint64_t seed = first_seed; seed < first_seed + formula_count; seed++)
        compare(seed);
}

int main(int count, char **arguments)
{
    formula_count = count > 1 ? strtoull(arguments[1], NULL, 10) : formula_count;
    first_seed = count > 2 ? strtoull(arguments[2], NULL, 10) : first_seed;
    const struct CMUnitTest tests[] = {cmocka_unit_test(languages_are_those_of_spin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
