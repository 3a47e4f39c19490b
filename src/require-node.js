// The check for programs that are started from a clone, where it is the first import.
import './bin/require-node.cjs';
