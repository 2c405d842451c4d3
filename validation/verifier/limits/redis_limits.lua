-- One exchange of a process with Redis: what it holds, what it asks for.
--
-- KEYS[1] is the epoch, KEYS[2] the last call of the process, the others are pairs. ARGV[1] is JSON: `process`, `call`
-- (their number), `lease_s`, `gap_s`, `young_s`, `wait_s` and `items`, each with `key` (a position in KEYS). Times are
-- seconds of this server's clock. A call that comes after a later one was given up by who made it: nothing happens.
--
-- A pair is a hash: p:PROCESS are its sessions by lane, the end of their lease, and until when it waits for more
-- ("short long end until"); next_at, short_at, day and used are its `RecipientRate`. An epoch is the time in which this
-- server knows all that was given: it ends with the server's run, with its data, when nobody could ask for `gap_s`
-- seconds, and when its clock leaps. While it is younger than `young_s` nothing is given: everybody says first what he
-- holds.
local all = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000

local function written(number) return string.format('%.17g', number) end

local function open_epoch()
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
  local kept = redis.call('HMGET', KEYS[1], 'id', 'run', 'since', 'seen')
  local id, since, seen = kept[1], tonumber(kept[3] or 0), tonumber(kept[4] or 0)
  if not id or kept[2] ~= run or now > seen + all.gap_s or now < seen - 1 then
    id, since = all.process .. '-' .. all.call, now
    redis.call('HSET', KEYS[1], 'id', id, 'run', run, 'since', written(since))
  end
  redis.call('HSET', KEYS[1], 'seen', written(now))
  return id, all.young_s - (now - since)
end

local function read_pair(key)
  local flat = redis.call('HGETALL', key)
  local pair = {key = key, held = {short = 0, long = 0}, short = 0, long = 0, others = 0, until_at = 0}
  pair.rate = {next_at = 0, short_at = 0, day = 0, used = 0}
  for position = 1, #flat, 2 do
    local field, value = flat[position], flat[position + 1]
    local process = string.match(field, '^p:(.*)$')
    if process then
      local short, long, ends, until_at = string.match(value, '^(%d+) (%d+) (%S+) (%S+)$')
      ends, until_at = tonumber(ends), tonumber(until_at)
      if ends <= now or ends > now + all.lease_s + 1 then
        redis.call('HDEL', key, field)
      elseif process == all.process then
        pair.held, pair.until_at = {short = tonumber(short), long = tonumber(long)}, until_at
      else
        pair.short, pair.long = pair.short + short, pair.long + long
        if until_at > now then pair.others = pair.others + 1 end
      end
    else
      pair.rate[field] = tonumber(value)
    end
  end
  return pair
end

local function write_pair(pair)
  local held, rate, field = pair.held, pair.rate, 'p:' .. all.process
  if held.short + held.long > 0 or pair.until_at > now then
    local numbers = string.format('%d %d ', held.short, held.long)
    redis.call('HSET', pair.key, field, numbers .. written(now + all.lease_s) .. ' ' .. written(pair.until_at))
  else
    redis.call('HDEL', pair.key, field)
  end
  if rate.next_at > 0 or rate.day > 0 then
    redis.call('HSET', pair.key, 'next_at', written(rate.next_at), 'short_at', written(rate.short_at),
      'day', written(rate.day), 'used', written(rate.used))
  end
  local rest = math.max(all.lease_s, all.wait_s, rate.next_at - now, rate.short_at - now)
  if rate.used > 0 then rest = rest + 90000 end
  redis.call('PEXPIRE', pair.key, math.ceil((rest + 1) * 1000))
end

-- What a process holds now, and what recipients it was given before this epoch.
local function hold(item)
  local pair, rate = read_pair(KEYS[item.key]), nil
  pair.held, rate = {short = item.short, long = item.long}, pair.rate
  if item.busy_s > 0 or item.used > 0 then
    rate.next_at = math.max(rate.next_at, now + item.busy_s)
    if item.day > rate.day then rate.day, rate.used = item.day, 0 end
    if item.day == rate.day then rate.used = math.max(rate.used, item.used) end
  end
  write_pair(pair)
  return pair.others
end

-- `count_free_sessions` of validation/engine/limits/shared_limits.py.
local function count_free(pair, item)
  local short, long = pair.short + pair.held.short, pair.long + pair.held.long
  local free = item.sessions - short - long
  if item.lane == 'long' then free = math.min(free, math.max(1, item.sessions - item.kept) - long) end
  return math.max(0, free)
end

local function answer_ask(item, young)
  local pair, given, count, starts, again = read_pair(KEYS[item.key]), 0, 0, 0, 0
  -- What an earlier call gave whose answer was lost is free again: only the process knows what it holds.
  if item.short then pair.held = {short = item.short, long = item.long} end
  if young <= 0 and not (item.is_polite and pair.others > 0) then given = math.min(item.wanted, count_free(pair, item)) end
  pair.held[item.lane] = pair.held[item.lane] + given
  if item.asked > 0 then pair.until_at = item.asked > given and now + all.wait_s or 0 end
  if item.recipients > 0 and young > 0 then
    again = young
  elseif item.recipients > 0 then
    -- What lies further ahead can only come from a clock that was set back.
    local rate, most = pair.rate, 60 + item.within_s + 2 * item.burst / math.max(item.per_s, 0.001)
    rate.next_at, rate.short_at = math.min(rate.next_at, now + most), math.min(rate.short_at, now + 10 * most)
    count, starts, again = give_recipients(rate, item, now, now)
  end
  write_pair(pair)
  return {given, count, written(starts), written(again), pair.others, written(pair.rate.day), pair.rate.used}
end

if tonumber(redis.call('GET', KEYS[2]) or 0) >= all.call then return redis.error_reply('ERR an older call') end
redis.call('SET', KEYS[2], all.call, 'PX', math.ceil(60000 + all.lease_s * 1000))
local id, young = open_epoch()
local answers = {id, written(young)}
for _, item in ipairs(all.items) do
  answers[#answers + 1] = item.sessions and answer_ask(item, young) or hold(item)
end
return answers
