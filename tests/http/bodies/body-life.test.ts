import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { beginLife, lifeOf } from '../../../src/http/bodies/body-life.ts';

describe('the life of a body', () => {
  it('tells its end once, and takes no listener afterwards', () => {
    const incoming = new IncomingMessage(new Socket());
    const life = beginLife(incoming);
    let told = 0;
    const listener = (): void => {
      told += 1;
    };
    expect(lifeOf(incoming).atEnd(listener)).toBe(true);
    life.end();
    life.end();
    expect(told).toBe(1);
    // Who took something for the request must give it back itself.
    expect(lifeOf(incoming).atEnd(listener)).toBe(false);
  });

  it('takes none where nobody watches', () => {
    expect(lifeOf(new IncomingMessage(new Socket())).atEnd(() => {})).toBe(false);
  });
});
