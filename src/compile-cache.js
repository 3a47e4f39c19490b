// What was compiled at one start is kept for the next, beside the packages, so that a start takes half the
// time. Where nobody may write there, nothing is kept and nothing is said. NODE_COMPILE_CACHE goes first.
// What starts from the sources imports it before its entry (`--import`): an entry that is TypeScript itself
// would have Node load its compiler of TypeScript, 10 MiB that stay, before this is read.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'notifier'));
