// Starts the command line; the server gets the flags of `npm start`.
'use strict';
const flags = ['--max-semi-space-size=8', '--v8-pool-size=0', '--no-maglev'];
const isPlainServer = process.argv[2] === 'serve' && !process.execArgv.includes(flags[0]);
// A socket that systemd hands over would be closed. Windows cannot replace a process, and goes without the flags.
if (isPlainServer && process.platform !== 'win32' && !process.env.LISTEN_FDS) {
  const words = [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, process.env);
}
// Named by a variable: in a clone there is no such file.
const program = '../cli.js';
import(program);
