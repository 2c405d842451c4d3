require "json"
require "net/http"
require "securerandom"

API = "{{ site_url }}/api/v1"
KEY = "{{ key }}"

class EmailCheckError < StandardError
  attr_reader :status, :code

  def initialize(status, body)
    super("#{status} #{body["code"]}: #{body["message"]} (#{body["request_id"]})")
    @status, @code = status, body["code"]
  end
end

def call(method, path, body = nil)
  uri = URI(API + path)
  request = Net::HTTP.const_get(method.capitalize).new(uri)
  request["Authorization"] = "Bearer #{KEY}"
  request["Content-Type"] = "application/json"
  request["Idempotency-Key"] = SecureRandom.uuid if method == "POST" # the same for every try
  request.body = JSON.generate(body) if body
  answer = nil
  5.times do |attempt|
    answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
    break if !["429", "503"].include?(answer.code) || attempt == 4
    sleep((answer["Retry-After"] || 2**attempt).to_i)
  end
  found = JSON.parse(answer.body)
  raise EmailCheckError.new(answer.code.to_i, found) unless answer.is_a?(Net::HTTPSuccess)
  found
end

puts call("POST", "/validate/single", email: "role@test.emailcheck.app")["flags"].join(", ")
begin
  call("POST", "/validate/single", email: "out_of_credits@test.emailcheck.app")
rescue EmailCheckError => error
  puts error.code
end
