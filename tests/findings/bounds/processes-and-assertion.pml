/* An assertion that fails before there are more processes than there is room for. */
proctype P() { end: false }
init { byte i; do :: i < 30 -> assert(i != 20); run P(); i++ :: else -> break od }
