#!/usr/bin/env node
// `npx notifierd` starts the server; followed by a command, it is `notifier`.
'use strict';
require('./require-node.cjs');
var first = process.argv[2];
var isOption = first !== undefined && first.charAt(0) === '-';
var isAboutAll = ['--help', '-h', '--version'].indexOf(first) !== -1;
if (first === undefined || (isOption && !isAboutAll)) process.argv.splice(2, 0, 'serve');
require('./notifier.cjs');
