require "json"
require "net/http"

API = "{{ site_url }}/api/v1"

# After 429 and 503 waits as Retry-After says; any other refusal ends with its message and request_id.
def call(request)
  request["Authorization"] = "Bearer {{ key }}"
  uri = request.uri
  5.times do |attempt|
    answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
    return answer.body if answer.is_a?(Net::HTTPSuccess)
    abort answer.body if !["429", "503"].include?(answer.code) || attempt == 4
    sleep((answer["Retry-After"] || 2**attempt).to_i)
  end
end

puts JSON.pretty_generate(JSON.parse(call(Net::HTTP::Get.new(URI("#{API}{{ path }}")))))
