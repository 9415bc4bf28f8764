"use strict";

// Why the application ended is the reason that the socket was closed with.
window.WebSocket = class extends WebSocket {
  constructor(...words) {
    super(...words);
    this.addEventListener("close", ({ reason }) => {
      document.getElementById("why").textContent = reason;
    });
  }
};

document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("again").addEventListener("click", () => window.location.reload());
  // Whoever opens the page, or comes back to it, can type without a click first.
  const typed = () => document.querySelector(".xterm-helper-textarea");
  const focus = () => typed()?.focus({ preventScroll: true });
  window.addEventListener("focus", focus);
  const watch = new MutationObserver(() => {
    if (typed()) {
      watch.disconnect();
      focus();
    }
  });
  watch.observe(document.getElementById("terminal"), { childList: true, subtree: true });
});
