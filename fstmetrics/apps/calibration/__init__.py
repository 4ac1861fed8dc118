"""Whether confidences are right (`calibration`), and word orders that a metric cannot tell apart (`variants`)."""
