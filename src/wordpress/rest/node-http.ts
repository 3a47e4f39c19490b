// By getBuiltinModule: an ES import reads all exports, and `WebSocket` loads undici (40 ms of each start).
import type * as http from 'node:http';

export const { IncomingMessage, ServerResponse, createServer } = process.getBuiltinModule('node:http');
export type IncomingMessage = http.IncomingMessage;
export type ServerResponse = http.ServerResponse;
