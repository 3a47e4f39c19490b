// What was compiled at one start is kept for the next, beside the packages, so that a start takes half the
// time. Where nobody may write there, nothing is kept and nothing is said. NODE_COMPILE_CACHE goes first.
// What starts from the sources imports it before its entry (`--import`): an entry that is TypeScript itself
// would have Node load its compiler of TypeScript, 10 MiB that stay, before this is read.
// By its default: an old Node, which is told so by require-node.js, has not all names, and would end in a
// SyntaxError before that is run.
import module from 'node:module';
import path from 'node:path';

module.enableCompileCache(path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'notifier'));
