// What was compiled at one start is kept for the next, beside the packages, so that a start takes half the
// time. Where nobody may write there, nothing is kept and nothing is said. NODE_COMPILE_CACHE goes first.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'notifier'));
