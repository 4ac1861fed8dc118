// Requests to the server; ../README.md documents the routes.

// Characters of a body that is sent to its end; all of them at once have 64 KiB.
const MOST_KEPT = 4000;

const who = new URLSearchParams(location.search).get("as");

// Names this window in its changes, so that it knows them again among the notices.
export const windowName = Math.random().toString(36).slice(2);

// What the server did not do: `status` (0 where it cannot be reached), the message for people, and its further data.
export class RefusedError extends Error {
  constructor(status, data) {
    super(data.error || "the server does not answer");
    this.status = status;
    this.data = data;
  }
}

export function address(path, query = {}) {
  const all = new URLSearchParams(who === null ? query : { ...query, as: who });
  return `/api/${path}${all.size ? `?${all}` : ""}`;
}

async function answered(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new RefusedError(0, {});
  }
  let data;
  try {
    data = await response.json();
  } catch {
    data = { error: `the server answered ${response.status}` };
  }
  if (!response.ok) throw new RefusedError(response.status, data);
  return data;
}

export const get = (path, query) => answered(address(path, query));

// A small one arrives also if the page goes meanwhile; browsers refuse larger ones of this kind.
export function post(path, data) {
  const body = JSON.stringify(data);
  const keepalive = body.length < MOST_KEPT;
  return answered(address(path), { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive });
}

// Call `change` with the data of every change, and `again` where some may have been missed. Hidden windows do not
// listen: browsers have few connections to one server, and each window that listens takes one.
export function listen(change, again) {
  let notices = null;
  const begin = () => {
    let broken = false;
    notices = new EventSource(address("notices"));
    notices.addEventListener("change", (event) => change(JSON.parse(event.data)));
    notices.addEventListener("reload", again);
    notices.addEventListener("error", () => { broken = true; });
    notices.addEventListener("open", () => { if (broken) again(); broken = false; });
  };
  document.addEventListener("visibilitychange", () => {
    notices?.close();
    notices = null;
    if (document.hidden) return;
    begin();
    again();
  });
  if (!document.hidden) begin();
}
