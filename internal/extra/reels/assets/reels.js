// The chapters of a reel.
document.addEventListener("click", (e) => {
  const to = e.target.closest("[data-seek]"), film = document.getElementById("reel-video");
  if (!to || !film) return;
  film.currentTime = Number(to.dataset.seek);
  film.play().catch(() => { /* not allowed yet: it stands there, paused */ });
  film.scrollIntoView({ block: "nearest" });
});
