// What goes wrong in the queue of Harbour & Pine, which is young. Texts alone.
import type { IssueTemplate } from './template.ts';

export const workerQueue: readonly IssueTemplate[] = [
  {
    key: 'parcel-weight',
    slug: 'worker-queue',
    type: 'KeyError',
    value: "'parcel_weight'",
    frames: [
      {
        fn: 'run_job',
        file: 'worker/queue.py',
        line: 88,
        code: 'def run_job(job):\n>    return HANDLERS[job.kind](**job.payload)',
        vars: { job: '<Job 20417 label>', payload: { order: 88213 } },
      },
      {
        fn: 'build_label',
        file: 'shipping/labels.py',
        line: 31,
        code: 'def build_label(order):\n    parcel = load_parcel(order)\n>    grams = parcel["parcel_weight"] * 1000\n    return Label(grams)',
        vars: { order: 88213, parcel: { zone: 'IE-D' } },
      },
    ],
    hasUsers: false,
  },
  {
    key: 'mail-time-limit',
    slug: 'worker-queue',
    type: 'SoftTimeLimitExceeded',
    value: 'mail.send took longer than 30 s',
    level: 'warning',
    frames: [
      {
        fn: 'send_receipt',
        file: 'mail/tasks.py',
        line: 19,
        code: 'with smtp() as server:\n>    server.send_message(receipt(order))',
        vars: { order: 88190 },
      },
    ],
    hasUsers: false,
  },
];
