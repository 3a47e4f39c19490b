import { describe, expect, it } from '@jest/globals';
import { findActivatedSocket } from '../../src/app/bind.ts';

describe("systemd's socket activation", () => {
  it.each([
    ['one socket for this process', { LISTEN_PID: '42', LISTEN_FDS: '1' }, 3],
    ['a socket for another process', { LISTEN_PID: '41', LISTEN_FDS: '1' }, null],
    ['no socket', { LISTEN_PID: '42', LISTEN_FDS: '0' }, null],
    ['no count', { LISTEN_PID: '42' }, null],
    ['no process', { LISTEN_FDS: '1' }, null],
  ])('%s', (_name, env, found) => {
    expect(findActivatedSocket(env, 42)).toBe(found);
  });

  it('several sockets are refused', () => {
    expect(() => findActivatedSocket({ LISTEN_PID: '42', LISTEN_FDS: '2' }, 42)).toThrow('LISTEN_FDS is "2"');
  });
});
