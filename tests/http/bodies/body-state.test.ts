import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { getBodyState, trackBody } from '../../../src/http/bodies/body-state.ts';

describe('the state of a body', () => {
  it('calls its end listener once, and adds none after the end', () => {
    const incoming = new IncomingMessage(new Socket());
    const life = trackBody(incoming);
    let told = 0;
    const listener = (): void => {
      told += 1;
    };
    expect(getBodyState(incoming).atEnd(listener)).toBe(true);
    life.end();
    life.end();
    expect(told).toBe(1);
    // Who took something for the request must give it back itself.
    expect(getBodyState(incoming).atEnd(listener)).toBe(false);
  });

  it('adds no listener to a body that is not tracked', () => {
    expect(getBodyState(new IncomingMessage(new Socket())).atEnd(() => {})).toBe(false);
  });
});
