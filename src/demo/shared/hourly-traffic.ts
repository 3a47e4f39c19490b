/** Active customers at each hour of the day (UTC), relative to the busiest hour. */
const byHour = [
  0.2, 0.12, 0.09, 0.08, 0.1, 0.16, 0.3, 0.5, 0.7, 0.84, 0.92, 0.96, 1, 0.94, 0.9, 0.92, 0.95, 0.98, 1, 0.98,
  0.9, 0.74, 0.52, 0.33,
];
const weekendShare = 0.66;
/** Traffic at a time, relative to the busiest hour of a weekday. */
export function relativeTrafficAt(atMs: number): number {
  const at = new Date(atMs);
  const isWeekend = at.getUTCDay() % 6 === 0;
  return (byHour[at.getUTCHours()] ?? 1) * (isWeekend ? weekendShare : 1);
}
