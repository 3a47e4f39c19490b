// Who works at Harbour & Pine. Who buys there is ../company.ts's.

/** Who works there, as activities and deploys name them. */
export const colleagues = ['Ines Okafor', 'Jun Park', 'Tomas Lindqvist', 'Mara Feld', 'Aoife Byrne'] as const;
export type Colleague = (typeof colleagues)[number];
