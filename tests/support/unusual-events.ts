export const oddEvents: ReadonlyArray<readonly [path: string, body: string]> = [
  ['/store', '{}'],
  ['/store', '{"message":5}'],
  ['/store', '{"message":"x","platform":[]}'],
  ['/store', '{"message":"x","event_id":"y"}'],
  ['/store', '[1]'],
  ['/store', '"x"'],
  ['/store', '{"message":"x",}'],
];
