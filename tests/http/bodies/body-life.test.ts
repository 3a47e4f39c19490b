import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { getBodyState, trackBody } from '../../../src/http/bodies/body-state.ts';

describe('the life of a body', () => {
  it('tells its end once, and takes no listener afterwards', () => {
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

  it('takes none where nobody watches', () => {
    expect(getBodyState(new IncomingMessage(new Socket())).atEnd(() => {})).toBe(false);
  });
});
