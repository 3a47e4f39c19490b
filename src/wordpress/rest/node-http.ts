// Node's HTTP as programs of the older kind have it. As an ES module every member of it is looked at, and
// with `WebSocket` Node's own web client is loaded: 40 ms of each start, for what nobody here uses.
import type * as http from 'node:http';

export const { IncomingMessage, ServerResponse, createServer } = process.getBuiltinModule('node:http');
export type IncomingMessage = http.IncomingMessage;
export type ServerResponse = http.ServerResponse;
