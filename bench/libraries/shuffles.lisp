;; Decks shuffled with Common Lisp's random, 16 bits for each card, the low byte first: sbcl --script shuffles.lisp CARDS
(let* ((cards (parse-integer (second sb-ext:*posix-argv*)))
       (state (make-random-state t))
       (deck (make-array cards :element-type '(unsigned-byte 16)))
       (out (sb-sys:make-fd-stream 1 :output t :element-type '(unsigned-byte 16) :buffering :full)))
  (handler-case
      (loop
        (dotimes (i cards) (setf (aref deck i) i))
        (loop for i from (1- cards) downto 1
              do (rotatef (aref deck i) (aref deck (random (1+ i) state))))
        (write-sequence deck out))
    (error () (sb-ext:exit :abort t)))) ; the reader closed the pipe
