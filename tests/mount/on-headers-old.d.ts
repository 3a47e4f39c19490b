// on-headers 1.0, which older versions of compression, morgan and express-session bring along.
declare module 'on-headers-old' {
  import type { ServerResponse } from 'node:http';

  const onHeaders: (response: ServerResponse, listener: () => void) => void;
  export = onHeaders;
}
