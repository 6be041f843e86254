import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { client } from "./api";
import { signInByLink } from "./people/link";
import { RouterProvider } from "./router";
import { router } from "./routes";
import { kept, wear } from "./ui/theme";

wear(kept());

function show() {
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    );
}

if (SHARED) show();
else void signInByLink().then(show);
