// Exits with a clear message on old Node versions, before modules are loaded that would crash.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `Notifier needs Node 22.19 or newer (24 is best), and this is ${process.versions.node}; "npm ci && npm start" brings its own.\n`,
  );
  process.exit(78);
}
