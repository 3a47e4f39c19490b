// What Redis does for us in one step each, so that nobody counts between a question and its answer. The rules
// of a window are those of src/http/limits/limit-store.ts, in the words of Lua; a property holds both against
// each other.
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  /** By which Redis knows it once it has seen it. */
  readonly sha1: string;
}

/**
 * Keys: one a bucket, in the order of the charges. Arguments: the time in milliseconds, or nothing for
 * Redis' own clock, which all servers share; then for each charge how many buckets, the cost, and of each
 * bucket its limit, its window and whether it is a share (1 or 0). Answers the time, and for each charge
 * whether it was admitted, then of each bucket what is used (-1: no window has begun) and when its window
 * ends.
 */
export const takeScript = scriptOf(`
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function standing(key, limit, window, share)
  local kept = redis.call('GET', key)
  if not kept then return nil end
  local used, ends = string.match(kept, '^(%d+) (%d+)$')
  used, ends = tonumber(used), tonumber(ends)
  if used == nil or ends > now + window then return nil end
  if ends > now then return { used, ends } end
  if share == 1 then return nil end
  local owed = math.min(used - limit, limit)
  ends = ends + window
  if owed > 0 and ends > now then return { owed, ends } end
  return nil
end
local said, key, at = { now }, 0, 2
while at <= #ARGV do
  local count, cost = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local buckets, admitted = {}, 1
  for each = 1, count do
    local first = at - 1 + 3 * each
    local limit, window, share = tonumber(ARGV[first]), tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
    local counter = standing(KEYS[key + each], limit, window, share)
    buckets[each] = { counter, window, limit }
    local whole = buckets[each - 1]
    local isAsked = share == 0
    if share == 1 and whole ~= nil and whole[1] ~= nil then isAsked = whole[1][1] >= whole[3] * 0.75 end
    if isAsked and counter ~= nil and counter[1] >= limit then admitted = 0 end
  end
  said[#said + 1] = admitted
  for each = 1, count do
    local counter, window = buckets[each][1], buckets[each][2]
    if admitted == 1 and cost > 0 then
      if counter == nil then counter = { 0, now + window } end
      counter = { counter[1] + cost, counter[2] }
      local kept = string.format('%.0f %.0f', counter[1], counter[2])
      local keptMs = math.max(1, counter[2] + window - now)
      redis.call('SET', KEYS[key + each], kept, 'PX', string.format('%.0f', keptMs))
    end
    said[#said + 1] = counter ~= nil and counter[1] or -1
    said[#said + 1] = counter ~= nil and counter[2] or 0
  end
  key, at = key + count, at + 2 + 3 * count
end
return said
`);

/**
 * Says that a server is there, and answers how many are. Key: where they stand. Arguments: the server's name,
 * and after how many milliseconds one that says nothing is gone.
 */
export const presenceScript = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`);

/** Takes a server off where they stand, so that the others need not wait until it is gone. */
export const leaveScript = scriptOf("return redis.call('ZREM', KEYS[1], ARGV[1])");

function scriptOf(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
