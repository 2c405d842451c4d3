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

upload = Net::HTTP::Post.new(URI("#{API}/validate/upload"))
upload.set_form([["file", File.read("addresses.csv"), { filename: "addresses.csv" }]], "multipart/form-data")
sent = JSON.parse(call(upload))
batch = "#{API}/validate/batch/#{sent["batch_id"]}"
status = sent["status"]
while ["queued", "processing"].include?(status)
  sleep 2
  status = JSON.parse(call(Net::HTTP::Get.new(URI("#{batch}/status"))))["status"]
end
unless status == "completed"
  why = { "paused" => "it goes on when its cause is gone", "cancelled" => "somebody stopped it" }
  abort "#{sent["batch_id"]} is #{status}: #{why.fetch(status, "send it again")}"
end

File.binwrite("safe.csv", call(Net::HTTP::Get.new(URI("#{batch}/export?segment=safe"))))
puts status
