// Atomic Lua scripts. Same rules as src/http/limits/limit-store.ts; a property test compares them.
import { createHash } from 'node:crypto';

export type Script = ReturnType<typeof scriptOf>;

/** KEYS: one per bucket. ARGV: time in ms or '' for Redis' clock; per charge the number of buckets, the cost, and per
 * bucket limit, window and share flag. Returns the time, then per charge whether it was admitted, and per bucket the
 * used amount (-1: no window yet) and the end of its window. */
export const consumeScript = scriptOf(`
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
    local isChecked = share == 0
    if share == 1 and whole ~= nil and whole[1] ~= nil then isChecked = whole[1][1] >= whole[3] * 0.75 end
    if isChecked and counter ~= nil and counter[1] >= limit then admitted = 0 end
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

/** Registers a server and returns how many are alive. KEYS: the set. ARGV: server name, expiry in ms. */
export const registerScript = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`);

export const unregisterScript = scriptOf("return redis.call('ZREM', KEYS[1], ARGV[1])");

function scriptOf(text: string) {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
