import { afterEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "../../../../../src/lib/errors";
import {
  getFileRefusal,
  uploadFile,
  describeUploadFailure,
} from "../../../../../src/features/validation/batches/drafts/upload";
import { stubUpload, type FakeRequest } from "../../../../uploads";

const file = new File(["anna@company.com\n"], "list.csv");
const upload = () => uploadFile(file, {});

describe("a file before it is sent", () => {
  it.each(["list.csv", "LIST.XLSX", "old.xls", "plain.txt"])("[VAL-001] may be %s", (name) => {
    expect(getFileRefusal({ name, size: 10 })).toBeNull();
  });

  it("[VAL-008] is refused for another type, or above 10 MB", () => {
    expect(getFileRefusal({ name: "list.pdf", size: 10 })).toBe(
      "Only .csv, .xlsx, .xls and .txt files are supported",
    );
    expect(getFileRefusal({ name: "list.csv", size: 10_485_760 })).toBeNull();
    expect(getFileRefusal({ name: "list.csv", size: 10_485_761 })).toBe(
      "File is too large. Maximum size is 10MB.",
    );
  });
});

it("[VAL-009] goes as field file with a timeout of 300,000 ms", async () => {
  const sent = stubUpload((request) => request.answer(200, { upload_id: "u1" }));
  expect(await upload()).toEqual({ upload_id: "u1" });
  expect(sent).toMatchObject([{ address: "POST /api/validate/upload/inspect", timeout: 300_000 }]);
  expect(sent.map(({ form }) => (form.get("file") as File).name)).toEqual(["list.csv"]);
});

it("[REP-005] goes with the repair turned on, and says whether it is a typed list", async () => {
  const answer = (request: FakeRequest) => request.answer(200, { upload_id: "u1" });
  const sent = stubUpload(answer, answer);
  await upload();
  await uploadFile(file, { pasted: true, choices: { use_providers: false, max_credits: 2 } });
  const said = sent.map(({ form }) => Object.fromEntries([...form].filter(([name]) => name !== "file")));
  expect(said).toEqual([
    { repair: "true", reuse_days: "30", pasted: "false" },
    { repair: "true", reuse_days: "30", pasted: "true", use_providers: "false", max_credits: "2" },
  ]);
});

it("tells how much of the file has left", async () => {
  stubUpload((request) => {
    request.upload.onprogress?.({ loaded: 1, total: 4 });
    request.answer(200, {});
  });
  const seen: number[] = [];
  await uploadFile(file, { onProgress: (share) => seen.push(share) });
  expect(seen).toEqual([0.25]);
});

it("[AUTH-017] is sent again with a new token after a 401", async () => {
  const sent = stubUpload(
    (request) => request.answer(401, { code: "NOT_AUTHENTICATED" }),
    (request) => request.answer(200, { upload_id: "u1" }),
  );
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ token: "token-2" }))));
  expect(await upload()).toEqual({ upload_id: "u1" });
  expect(sent.map(({ headers }) => headers.Authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
});

describe("[REP-046] [E5] an upload without connection", () => {
  const setOnline = (online: boolean) => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(online);
    dispatchEvent(new Event(online ? "online" : "offline"));
  };
  afterEach(() => vi.restoreAllMocks());

  it("is cut at once, and sent again from its beginning when there is one", async () => {
    const sent = stubUpload(
      () => undefined,
      (request) => request.answer(200, { upload_id: "u2" }),
    );
    const seen: number[] = [];
    const answer = uploadFile(file, { onProgress: (share) => seen.push(share) });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    setOnline(false);
    await vi.waitFor(() => expect(seen).toEqual([0]));
    expect(sent).toHaveLength(1);
    setOnline(true);
    expect(await answer).toEqual({ upload_id: "u2" });
    expect(sent).toHaveLength(2);
  });

  it("waits before it is sent", async () => {
    setOnline(false);
    const sent = stubUpload((request) => request.answer(200, { upload_id: "u1" }));
    const answer = upload();
    await Promise.resolve();
    expect(sent).toHaveLength(0);
    setOnline(true);
    expect(await answer).toEqual({ upload_id: "u1" });
  });

  it("is sent again where the browser notices only after the cut", async () => {
    const sent = stubUpload(
      (request) => {
        request.onerror?.();
        setOnline(false);
      },
      (request) => request.answer(200, { upload_id: "u3" }),
    );
    const seen: number[] = [];
    const answer = uploadFile(file, { onProgress: (share) => seen.push(share) });
    await vi.waitFor(() => expect(seen).toEqual([0]));
    setOnline(true);
    expect(await answer).toEqual({ upload_id: "u3" });
    expect(sent).toHaveLength(2);
  });
});

describe("[VAL-011] a failed upload says", () => {
  it("that it took too long", async () => {
    stubUpload((request) => request.ontimeout?.());
    const error: unknown = await upload().catch((reason: unknown) => reason);
    expect(describeUploadFailure(error)).toBe(
      "Upload timeout - file is too large or connection is slow. Please try again.",
    );
  });

  it("the server's detail", async () => {
    stubUpload((request) => request.answer(400, { detail: "No email addresses found in the file" }));
    const error: unknown = await upload().catch((reason: unknown) => reason);
    expect(describeUploadFailure(error)).toBe("No email addresses found in the file");
  });

  it("that it is too large at 413, whatever answered it", () => {
    expect(describeUploadFailure(ApiError.fromBody(413, "<html>Too large</html>", null))).toBe(
      "File is too large. Maximum size is 10MB.",
    );
  });

  it("to try again when something on the way answered in place of the server", async () => {
    stubUpload((request) => {
      request.status = 200;
      request.responseText = "<html>Sign in to this network</html>";
      request.onload?.();
    });
    const error: unknown = await upload().catch((reason: unknown) => reason);
    expect(describeUploadFailure(error)).toBe("File upload failed. Please try again.");
    expect(error).toMatchObject({ status: 200, requestId: "req-7" });
  });

  it("to try again when there is nothing better to say", async () => {
    stubUpload((request) => request.onerror?.());
    const error: unknown = await upload().catch((reason: unknown) => reason);
    expect(describeUploadFailure(error)).toBe("File upload failed. Please try again.");
  });
});
