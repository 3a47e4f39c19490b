#!/usr/bin/env node
// The command `notifier` of the package. ECMAScript 5, so that any Node gets as far as the check.
'use strict';
require('./require-node.cjs');
require('./start.cjs');
