import { type Command, UsageError } from '../command.ts';

const portMax = 65_535;

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Start the server (like npm start).',
  usage: '[--port N] [--open]',
  options: {
    port: 'port to listen on, instead of PORT; 0 takes a free one (default: 8787)',
    open: { flag: 'open the workspace in the browser, signed in' },
  },
  hasJson: false,
  async run({ env, err }, args) {
    const port = args.text('port');
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > portMax)) {
      throw new UsageError(`--port must be a number from 0 to ${portMax}, not "${port}".`);
    }
    // Imported here: other commands do not need the server and the pages, most of the program.
    const { setServerFlags } = await import('../../app/v8-flags.ts');
    setServerFlags();
    const { serve } = await import('../../app/serve.ts');
    const { openBrowser } = await import('../../app/open-browser.ts');
    const { writeStandardOutput } = await import('../../app/standard-output.ts');
    const settings = port === undefined ? env : { ...env, PORT: port };
    const open = args.flag('open') ? openBrowser : () => {};
    return serve(() => settings, { write: writeStandardOutput }, { write: err }, open);
  },
};
