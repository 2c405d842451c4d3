require "json"
require "net/http"

API = URI("{{ site_url }}")

# After 429 and 503 waits as Retry-After says; any other refusal ends with its message and request_id.
def call(request)
  request["Authorization"] = "Bearer {{ key }}"
  5.times do |attempt|
    answer = Net::HTTP.start(API.host, API.port, use_ssl: API.scheme == "https") { |http| http.request(request) }
    return answer.body if answer.is_a?(Net::HTTPSuccess)
    abort answer.body if !["429", "503"].include?(answer.code) || attempt == 4
    sleep((answer["Retry-After"] || 2**attempt).to_i)
  end
end

request = Net::HTTP::Post.new("/api/v1/validate/single", "Content-Type" => "application/json")
request.body = JSON.generate(email: "valid@test.emailcheck.app")
verdict = JSON.parse(call(request))
puts "#{verdict["category"]} #{verdict["safe_to_send"]}"
