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

upload = Net::HTTP::Post.new("/api/v1/validate/upload")
upload.set_form([["file", File.read("addresses.csv"), { filename: "addresses.csv" }]], "multipart/form-data")
sent = JSON.parse(call(upload))
batch = "/api/v1/validate/batch/#{sent["batch_id"]}"
status = sent["status"]
while ["queued", "processing"].include?(status)
  sleep 2
  status = JSON.parse(call(Net::HTTP::Get.new("#{batch}/status")))["status"]
end
unless status == "completed"
  why = { "paused" => "it goes on when its cause is gone", "cancelled" => "somebody stopped it" }
  abort "#{sent["batch_id"]} is #{status}: #{why.fetch(status, "send it again")}"
end

File.binwrite("safe.csv", call(Net::HTTP::Get.new("#{batch}/export?segment=safe")))
puts status
