-- `give_recipients` of validation/engine/limits/shared_limits.py, number for number. `rate` is changed; answers how many are given, in
-- how many seconds they begin, and when to ask again. `ask` has its fields, and the constants of that file.
local function give_recipients(rate, ask, now, epoch)
  local most = ask.recipients
  if ask.per_s > 0 then most = math.min(most, math.max(ask.burst, math.floor(ask.per_s))) end
  if ask.per_day > 0 then
    local today = math.floor(epoch / 86400)
    if rate.day ~= today then rate.day, rate.used = today, 0 end
    most = math.min(most, ask.per_day - rate.used)
    if most <= 0 then return 0, 0, (today + 1) * 86400 - epoch end
    rate.used = rate.used + most
  end
  if ask.per_s == 0 then return most, 0, 0 end
  local starts = math.max(now, rate.next_at)
  local is_ahead = ask.lane == 'short' and rate.short_at <= now + ask.saved_s
  local reach = is_ahead and ask.within_s or math.min(ask.within_s, ask.lead_s)
  if starts > now + reach then
    if ask.per_day > 0 then rate.used = rate.used - most end
    return 0, 0, starts - now - (is_ahead and 0 or reach)
  end
  rate.next_at = starts + most / ask.per_s
  if ask.lane == 'short' then
    rate.short_at = math.max(now, rate.short_at) + ask.short_share * most / ask.per_s
  end
  return most, starts - now, 0
end
