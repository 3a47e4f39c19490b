// Left alone, V8 looks through what lives long once it has doubled or trebled, and holds what requests left
// behind until then: a fifth to a third of the memory under load. It looks after a third more now
// (DECISIONS.md D-229). Said here and not on the command line, where a Node that knows no such word would
// not start.
import v8 from 'node:v8';

v8.setFlagsFromString('--heap-growing-percent=30');
// What the command line says of the young generation holds for this thread, whose heap is made. It would go
// before what the program gives each of its other threads (D-238).
v8.setFlagsFromString('--max-semi-space-size=0');
