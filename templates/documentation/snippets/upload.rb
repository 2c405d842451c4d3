require "json"
require "net/http"

API = "{{ site_url }}/api/v1"

def call(request)
  request["Authorization"] = "Bearer {{ key }}"
  uri = request.uri
  answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
  answer.value # raises an error for a refusal
  answer.body
end

def get(path)
  call(Net::HTTP::Get.new(URI(API + path)))
end

upload = Net::HTTP::Post.new(URI("#{API}/validate/upload"))
upload.set_form([["file", File.open("addresses.csv")]], "multipart/form-data")
sent = JSON.parse(call(upload))
batch = "/validate/batch/#{sent["batch_id"]}"

status = sent["status"]
while ["queued", "processing"].include?(status)
  sleep 2
  status = JSON.parse(get("#{batch}/status"))["status"]
end

File.binwrite("safe.csv", get("#{batch}/export?segment=safe"))
puts status
