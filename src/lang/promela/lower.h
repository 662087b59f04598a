/* From the tree to the typed system: the context of the lowering, and its parts.
 *
 * The state: the global variables; `at`, by pid: where control stands ("off": there is no process); the locals of a
 * proctype, by the pids that its processes can have; the contents of channels with a capacity; the number of processes
 * where that matters. A move of a proctype is a rule with a pid as parameter; a rendezvous is one rule of two. */
#ifndef NOETHER_LANG_PROMELA_LOWER_H
#define NOETHER_LANG_PROMELA_LOWER_H

#include "ir/build.h"
#include "ir/face.h"
#include "ir/language.h"
#include "ir/system.h"
#include "lang/promela/asked.h"
#include "lang/promela/values.h"

struct pml_set_loop;
struct pml_set_choice;

/* The counter of a loop over a set that is being lowered, and the variable of the loop. */
struct pml_bound {
    const struct pml_variable *counter;
    const struct variable *variable;
    const struct pml_bound *outer;
};

struct pml_lower {
    struct system *system;
    struct arena *arena;
    struct pml_model *model;
    struct pml_flow *flows; /* by proctype */
    struct pml_cast cast;
    struct pml_channels channels;
    struct pml_values values;
    struct diagnostics *diagnostics;
    struct pml_asked asked;

    const struct type *pids, *places;
    const struct type **role_types;         /* by proctype: its pids; NULL: not needed yet */
    bool is_fair;                           /* only fair runs count */
    const struct variable **homes;          /* by leaf: of variables; NULL: it is not stored */
    const struct type **record_types;       /* by record */
    const struct variable *at;              /* array over pids */
    const struct variable *count;           /* how many processes; NULL: it does not matter */
    const struct variable *holder, *idle;   /* see struct system; NULL: not needed */
    const struct variable *priority;        /* by pid; NULL: all are the same */
    const struct variable *last;            /* who has moved; NULL: it does not matter */
    const struct variable *child;           /* the pid of a process that is started */
    const struct variable *position, *each; /* in a channel */
    const struct variable **sent;           /* values of a message on their way */
    uint32_t sent_count;
    uint32_t **ordinals;                         /* by proctype and node: the place; UINT32_MAX: never reached */
    const struct pml_bound *bound;               /* the innermost; NULL: none */
    bool has_last;                               /* _last is asked for */
    bool is_asking;                              /* enabled() is being lowered */
    bool is_start;                               /* the start state is being made */
    const struct property *crowded;              /* more processes than there is room for */
    const struct property *blocked;              /* a d_step blocks */
    const struct property *chooses;              /* a D_proctype has a choice */
    uint32_t *first_process;                     /* by proctype: the number of its first process in the face */
    const struct property *faulty;               /* a channel is not there, or cannot be asked */
    const struct property *own_question;         /* enabled() of the process that asks */
    struct pml_flow trace;                       /* the automaton of the trace assertion */
    uint32_t *event_ordinals;                    /* by node of it */
    const struct variable *event;                /* where it stands; NULL: there is none */
    const struct property *untraced, *ambiguous; /* it is violated; two moves read one event */
};

/* A process for which something is evaluated: of a proctype (NULL: of none, only global variables), its pid a variable
 * or a number. */
struct pml_self {
    const struct pml_proctype *proctype;
    const struct variable *pid; /* NULL: */
    uint32_t number;
};

struct pml_steps {
    struct stmt **items;
    size_t count, capacity;
};

/* Fills the system, and finishes it; what is wrong is reported. */
void pml_lower_model(struct system *system, struct pml_model *model, struct pml_asked asked, struct question *question,
                     struct diagnostics *diagnostics);

/* lower_declare.c: variables; lower_start.c: their first values, and the start state */
bool pml_declare_state(struct pml_lower *lower);
void pml_lower_start(struct pml_lower *lower);
const struct type *pml_leaf_type(struct pml_lower *lower, uint32_t leaf, const struct pml_type *declared,
                                 struct span span);
/* "S.k"; "S.k.2" of another variable with this name in the same proctype */
const char *pml_local_name(struct pml_lower *lower, const struct pml_variable *variable, const char *owner);
/* Variables for a message of the pool on its way. Each message has its own: what flows through one is of one kind. */
void pml_renew_sent(struct pml_lower *lower, const struct pml_pool *pool, struct span span);
/* "P:12", the line; "P:12b" for another place on the same line; "P.end" */
const char *pml_place_label(struct pml_lower *lower, const struct pml_flow *flow, uint32_t node);
/* The locals of a process get their first values, and its channels are empty. */
enum pml_begin {
    PML_BEGIN_ALL,    /* with its parameters, which are 0 */
    PML_BEGIN_LOCALS, /* without them */
    PML_BEGIN_GIVEN,  /* with its parameters, and only what depends on when it starts */
    PML_BEGIN_REST    /* only what depends on when it starts */
};
void pml_begin_locals(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, enum pml_begin begin,
                      struct span span);
/* Is it the same in every state? */
bool pml_is_constant(struct pml_lower *lower, const struct pml_expr *expr);
/* ... the values that they have where there is no process. */
void pml_end_locals(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct span span);
void pml_set_initial(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                     const struct pml_variable *variable, struct span span);

/* lower_node.c: small pieces of the IR */
struct expr *pml_constant(struct pml_lower *lower, int64_t value, struct span span);
struct expr *pml_truth(struct pml_lower *lower, bool value, struct span span);
struct expr *pml_both(struct pml_lower *lower, struct expr *left, struct expr *right);   /* NULL: true */
struct expr *pml_either(struct pml_lower *lower, struct expr *left, struct expr *right); /* NULL: false */
struct expr *pml_not(struct pml_lower *lower, struct expr *operand);                     /* NULL: true, so false */
struct expr *pml_compare(struct pml_lower *lower, enum operator op, struct expr *left, struct expr *right);
struct expr *pml_variable_value(struct pml_lower *lower, const struct variable *variable, struct span span);
struct expr *pml_pid(struct pml_lower *lower, struct pml_self self, struct span span);
/* The part of the place that is the process's own: a proctype that only one pid can have needs no array. */
struct place *pml_own(struct pml_lower *lower, struct place *place, const struct pml_proctype *owner,
                      struct pml_self self, struct span span);
bool pml_is_single(const struct pml_lower *lower, const struct pml_proctype *proctype);
/* Does the control of the process stand at the node? */
struct expr *pml_is_at(struct pml_lower *lower, struct pml_self self, uint32_t node, struct span span);
void pml_assign(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct expr *value);
/* Assigns to a variable, field or part of a message of this leaf, whose type the value fits (pml_fit). An int that may
 * be -2147483648 has a type with is_least_undefined (ir/type.h). */
void pml_put(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct expr *value, uint32_t leaf);
/* The value of such a place. */
struct expr *pml_get(struct pml_lower *lower, struct place *place, uint32_t leaf);
void pml_go(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, uint32_t node, struct span span);
struct block pml_close(struct pml_lower *lower, struct pml_steps *steps);
/* Parameters of a rule: every process of the proctype. */
const struct type *pml_pids_of(struct pml_lower *lower, const struct pml_proctype *proctype);
struct pml_self pml_self_of(struct pml_lower *lower, struct rule *rule, const struct pml_proctype *proctype,
                            const char *name);
void pml_add_parameter(struct pml_lower *lower, struct rule *rule, const struct variable *variable);

/* lower_expr.c */
struct expr *pml_lower_value(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr);
/* Is there a process of the proctype under this pid? */
struct expr *pml_is_alive(struct pml_lower *lower, struct pml_self self, struct span span);
/* Is it a condition by its form: true or false, and no other number? */
bool pml_is_truth(const struct pml_expr *expr);
struct expr *pml_lower_condition(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr);
struct place *pml_lower_place(struct pml_lower *lower, struct pml_self self, const struct pml_place *place);
/* The value as a variable of that type holds it. */
struct expr *pml_fit(struct pml_lower *lower, struct expr *value, struct pml_range range, struct pml_type type);
void pml_store(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, const struct pml_place *place,
               struct expr *value, struct pml_range range);

/* lower_channel.c: operations on stored channels */
struct pml_port {
    const struct pml_pool *pool;
    struct pml_self self;
    const struct pml_expr *channel;
    const struct pml_declaration
        *declaration; /* the channel is always one of this declaration; NULL: read the number */
    bool is_named;    /* under the declared name, perhaps with an index */
    bool is_checked;  /* the number may be of another pool */
};

struct pml_ports {
    struct pml_port *items;
    uint32_t count;
};

/* The pools that the channel can be in, a port for each; in the arena. None: it is no channel (reported). */
struct pml_ports pml_ports(struct pml_lower *lower, struct pml_self self, const struct pml_expr *channel);
/* Its number; of a pool that is used by value. */
struct expr *pml_port_number(struct pml_lower *lower, const struct pml_port *port);
/* Is it this pool's? NULL: always. */
struct expr *pml_port_is_right(struct pml_lower *lower, const struct pml_port *port);
struct expr *pml_port_length(struct pml_lower *lower, const struct pml_port *port, struct span span);
/* A field of the message that is being sent or received, from the variable that holds it meanwhile (pml_renew_sent). */
struct expr *pml_value_on_way(struct pml_lower *lower, const struct pml_pool *pool, uint32_t field, struct span span);
struct expr *pml_can_send(struct pml_lower *lower, const struct pml_port *port, struct span span);
void pml_send(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
              const struct pml_stmt *stmt);
struct expr *pml_can_receive(struct pml_lower *lower, const struct pml_port *port, const struct pml_argument *arguments,
                             uint32_t count, bool is_random, struct span span);
void pml_receive(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
                 const struct pml_stmt *stmt);
/* No message is in it; what was in it before is forgotten, or there was nothing. */
void pml_empty_channel(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct span span);
void pml_clear_channel(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct span span);

/* lower_meet.c: rendezvous */
/* Are two ports of one pool the same channel? NULL: always. */
struct expr *pml_same_channel(struct pml_lower *lower, const struct pml_port *from, const struct pml_port *to);
/* Is there a partner for the send, whose channel has no capacity? */
struct expr *pml_has_partner(struct pml_lower *lower, struct pml_self self, const struct pml_stmt *stmt);
void pml_lower_meetings(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node, uint32_t move);

/* lower_move.c */
void pml_lower_moves(struct pml_lower *lower, const struct pml_proctype *proctype);
/* Can the move's statement be executed? NULL: always. A rendezvous that is received cannot: the sender does it. */
struct expr *pml_can_do(struct pml_lower *lower, struct pml_self self, const struct pml_move *move);
/* What must hold for the move besides: where control stands, who may move, other moves of the node. */
struct expr *pml_may_move(struct pml_lower *lower, struct pml_self self, uint32_t node, uint32_t move);
/* Can control come to the node with the process going on alone? */
bool pml_can_hold_at(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node);
/* Can the process be removed, if it has ended: has it the highest pid of all? NULL: always. */
struct expr *pml_can_go(struct pml_lower *lower, struct pml_self self, struct span span);
/* It has moved. */
void pml_note_move(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct span span);
/* Is it a rendezvous, perhaps? */
bool pml_is_meeting(struct pml_lower *lower, const struct pml_stmt *stmt, enum pml_stmt_kind kind);
void pml_hold(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, bool was_atomic, bool keeps,
              struct span span);

/* lower_deaths.c: does it matter when processes disappear? Sets what the system says of that; where processes are asked
 * to stay and cannot, that is reported. */
void pml_settle_deaths(struct pml_lower *lower);

/* lower_overwritten.c */
void pml_drop_overwritten(struct pml_steps *steps);

/* lower_effect.c: what the statement does; a message goes through this port */
void pml_lower_effect(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                      const struct pml_stmt *stmt, const struct pml_port *port);

/* lower_set_loop.c */
void pml_lower_set_loop(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                        const struct pml_set_loop *loop, struct span span);
/* The rule gets a parameter. */
void pml_lower_set_choice(struct pml_lower *lower, struct rule *rule, struct pml_steps *steps, struct pml_self self,
                          const struct pml_set_choice *choice, struct span span);
/* The property that fails where no option of a d_step that has begun is possible. */
const struct property *pml_blocked(struct pml_lower *lower, struct span span);

/* lower_face.c: what users see, in Promela's terms */
/* A type for the values of the leaf: a variable that is declared with this type. */
const struct type *pml_named_type(struct pml_lower *lower, struct pml_range range, const struct pml_type *declared,
                                  struct span span);
/* When all is declared. */
void pml_lower_face(struct pml_lower *lower);
/* "S(0):12 k = 1": a step of one process; the statements taken with it, too. */
void pml_show_move(struct pml_lower *lower, struct rule *rule, struct pml_self self, uint32_t node, uint32_t move,
                   struct span span);
/* "S(0):12 q!1 -> R(1):20 q?x" */
void pml_show_meeting(struct pml_lower *lower, struct rule *rule, struct pml_self sender, const struct pml_stmt *send,
                      struct pml_self receiver, const struct pml_stmt *receive);
/* "S(0)" and what happens to it. */
extern const char pml_terminates[];
void pml_show_event(struct pml_lower *lower, struct rule *rule, struct pml_self self, const char *event);

/* lower_fault.c: the rule that fails where the statement cannot be tried, if that can be. */
void pml_check_provided(struct pml_lower *lower, const struct pml_proctype *proctype);
void pml_lower_fault(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node, uint32_t move,
                     const struct pml_stmt *stmt);

/* lower_priority.c */
/* False: they cannot be (reported). */
bool pml_declare_priority(struct pml_lower *lower);
/* Can no process of a higher priority move? NULL: none has one. */
struct expr *pml_is_urgent(struct pml_lower *lower, struct pml_self self, struct span span);
struct expr *pml_lower_priority(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr);
struct expr *pml_lower_enabled(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr);
void pml_prioritize(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                    const struct pml_stmt *stmt);
void pml_set_priority(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, uint32_t priority,
                      struct span span);

/* lower_trace.c: the trace assertion, if there is one */
/* False: something is wrong (reported). */
bool pml_declare_trace(struct pml_lower *lower);
void pml_begin_trace(struct pml_lower *lower, struct pml_steps *steps);
/* May a run end where the assertion stands? NULL: there is none. */
struct expr *pml_trace_may_end(struct pml_lower *lower, struct span span);
/* Can a send, or receive, through this port be an event? */
bool pml_is_observed(struct pml_lower *lower, const struct pml_port *port, enum pml_stmt_kind kind);
/* It is: a message of these values, which call no function and bind no variable. */
void pml_observe(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port, enum pml_stmt_kind kind,
                 struct expr **values, struct span span);

/* lower_property.c */
void pml_lower_properties(struct pml_lower *lower);
/* Does some process stand at a label that begins with accept, or progress? NULL: there is none. */
struct expr *pml_some_accepts(struct pml_lower *lower, struct span span);
struct expr *pml_some_progresses(struct pml_lower *lower, struct span span);

/* lower_question.c: the expression that is asked for; it changes nothing in the model. */
void pml_lower_question(struct pml_lower *lower, struct pml_expr *expr, struct question *question);

/* lower_never.c: the formula that the claim accepts no run; NULL: something is wrong (reported). */
struct ctl *pml_lower_never(struct pml_lower *lower, struct pml_proctype *proctype);

#endif
