// In the sandboxed frame: starts the worker with the pasted code, and hands it the port to the page.
addEventListener("message", ({ data: { code, job }, ports: [port] }) => {
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  worker.addEventListener("error", ({ message }) => parent.postMessage({ wrong: "pastedThrew", value: message }, "*"));
  worker.postMessage(job, [port]);
}, { once: true });
