// Ends with one sentence on a Node that is too old. Any Node must be able to parse it: ECMAScript 5 only.
'use strict';
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var isClone = __dirname.indexOf('dist') === -1;
var way = isClone ? '"npm ci && npm start" brings its own' : 'install it from https://nodejs.org';
if (major < 22 || (major === 22 && Number(parts[1]) < 19)) {
  process.stderr.write(
    'Notifier needs Node 22.19 or newer (24 is best), and this is ' +
      process.versions.node +
      '; ' +
      way +
      '.\n'
  );
  process.exit(78);
}
