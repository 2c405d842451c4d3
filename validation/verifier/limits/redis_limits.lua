-- One exchange of a process with Redis: what it frees, what it holds, what it asks for.
--
-- KEYS[1] is the epoch, KEYS[2] the last call of the process, the others are pairs. ARGV[1] is JSON: `process`, `call`
-- (their number), `lease_s`, `gap_s`, `young_s`, `wait_s` and `items`, each with `key` (a position in KEYS). Times are
-- seconds of this server's clock. A call that comes after a later one was given up by who made it: nothing happens.
--
-- A pair is a hash: p0, p1 … are sessions ("process end"), w:PROCESS is until when a process waits; next_at, short_at,
-- day and used are its `Rate`. An epoch is the time in which this server knows all that was given: it ends with the
-- server's run, with its data, when nobody could ask for `gap_s` seconds, and when its clock leaps. While it is younger
-- than `young_s` nothing is given: everybody says first what he holds.
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
  local pair = {key = key, places = {}, others = 0, waits = false, rate = {next_at = 0, short_at = 0, day = 0, used = 0}}
  for position = 1, #flat, 2 do
    local field, value = flat[position], flat[position + 1]
    local place, waiting = string.match(field, '^p(%d+)$'), string.match(field, '^w:(.*)$')
    if place then
      local owner, ends = string.match(value, '^(%S+) (%S+)$')
      ends = tonumber(ends)
      if ends > now and ends <= now + all.lease_s + 1 then
        pair.places[tonumber(place)] = owner
      else
        redis.call('HDEL', key, field)
      end
    elseif waiting == all.process then
      pair.waits = true
    elseif waiting then
      if tonumber(value) > now then pair.others = pair.others + 1 else redis.call('HDEL', key, field) end
    else
      pair.rate[field] = tonumber(value)
    end
  end
  return pair
end

local function hold(pair, place)
  pair.places[place] = all.process
  redis.call('HSET', pair.key, 'p' .. place, all.process .. ' ' .. written(now + all.lease_s))
end

local function keep_for_now(pair)
  local rest = math.max(all.lease_s, all.wait_s, pair.rate.next_at - now, pair.rate.short_at - now)
  if pair.rate.used > 0 then rest = rest + 90000 end
  redis.call('PEXPIRE', pair.key, math.ceil((rest + 1) * 1000))
end

local function write_rate(pair)
  local rate = pair.rate
  redis.call('HSET', pair.key, 'next_at', written(rate.next_at), 'short_at', written(rate.short_at),
    'day', written(rate.day), 'used', written(rate.used))
end

local function free(item)
  for _, place in ipairs(item.places) do
    local owner = redis.call('HGET', KEYS[item.key], 'p' .. place)
    if owner and string.sub(owner, 1, #all.process + 1) == all.process .. ' ' then
      redis.call('HDEL', KEYS[item.key], 'p' .. place)
    end
  end
  return 0
end

-- Hold again what is held; where its number is another's, or it has none (-1), the lowest that is free.
local function renew(item)
  local pair, mine, places = read_pair(KEYS[item.key]), {}, {}
  for position, place in ipairs(item.places) do
    if place < 0 or mine[place] or (pair.places[place] or all.process) ~= all.process then
      place = 0
      while pair.places[place] do place = place + 1 end
    end
    hold(pair, place)
    mine[place], places[position] = true, place
  end
  if item.busy_s > 0 or item.used > 0 then
    local rate = pair.rate
    rate.next_at = math.max(rate.next_at, now + item.busy_s)
    if item.day > rate.day then rate.day, rate.used = item.day, 0 end
    if item.day == rate.day then rate.used = math.max(rate.used, item.used) end
    write_rate(pair)
  end
  keep_for_now(pair)
  return {table.concat(places, ','), pair.others}
end

local function take_places(pair, item)
  local places, from, to, step = {}, 0, math.min(item.sessions, math.max(1, item.sessions - item.kept)) - 1, 1
  if item.lane == 'short' then from, to, step = item.sessions - 1, 0, -1 end
  for place = from, to, step do
    if #places < item.wanted and not pair.places[place] then
      hold(pair, place)
      places[#places + 1] = place
    end
  end
  return places
end

local function answer_ask(item, young)
  local pair, places, count, starts, again = read_pair(KEYS[item.key]), {}, 0, 0, 0
  if young <= 0 and not (item.is_polite and pair.others > 0) then places = take_places(pair, item) end
  if item.asked > #places then
    redis.call('HSET', pair.key, 'w:' .. all.process, written(now + all.wait_s))
  elseif pair.waits and item.asked > 0 then
    redis.call('HDEL', pair.key, 'w:' .. all.process)
  end
  if item.recipients > 0 and young > 0 then
    again = young
  elseif item.recipients > 0 then
    -- What lies further ahead can only come from a clock that was set back.
    local rate, most = pair.rate, 60 + item.within_s + 2 * item.burst / math.max(item.per_s, 0.001)
    rate.next_at, rate.short_at = math.min(rate.next_at, now + most), math.min(rate.short_at, now + 10 * most)
    count, starts, again = give_recipients(rate, item, now, now)
    if item.per_s > 0 or item.per_day > 0 then write_rate(pair) end
  end
  keep_for_now(pair)
  local day, used = written(pair.rate.day), pair.rate.used
  return {table.concat(places, ','), count, written(starts), written(again), pair.others, day, used}
end

if tonumber(redis.call('GET', KEYS[2]) or 0) >= all.call then return redis.error_reply('ERR an older call') end
redis.call('SET', KEYS[2], all.call, 'PX', math.ceil(60000 + all.lease_s * 1000))
local id, young = open_epoch()
local answers = {id, written(young)}
for _, item in ipairs(all.items) do
  if item.kind == 'free' then
    answers[#answers + 1] = free(item)
  elseif item.kind == 'renew' then
    answers[#answers + 1] = renew(item)
  else
    answers[#answers + 1] = answer_ask(item, young)
  end
end
return answers
