require "json"
require "net/http"

API = "{{ site_url }}/api/v1"
AUTH = "Bearer {{ key }}"

sent = Net::HTTP.post(
  URI("#{API}/validate/bulk"),
  JSON.generate(emails: ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]),
  "Authorization" => AUTH,
  "Content-Type" => "application/json"
)
sent.value # raises an error for a refusal
batch = JSON.parse(sent.body)["batch_id"]

uri = URI("#{API}/validate/batch/#{batch}/results")
request = Net::HTTP::Get.new(uri, "Authorization" => AUTH, "Accept" => "application/x-ndjson")
rest = +""
Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") do |http|
  http.request(request) do |answer|
    answer.value
    answer.read_body do |piece|
      rest << piece
      while (line = rest.slice!(/.*\n/))
        row = JSON.parse(line)
        puts "#{row["row"]} #{row["email"]} #{row["category"]}"
      end
    end
  end
end
