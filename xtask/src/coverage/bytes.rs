//! Numbers from bytes, as LLVM writes them.

/// The bytes that are left.
#[derive(Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// Take so many bytes from the front.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (front, rest) = self.0.split_at_checked(n).ok_or("the file ends too early")?;
        self.0 = rest;
        Ok(front)
    }

    /// What is left behind so many bytes.
    pub fn skip(mut self, n: usize) -> Result<Self, String> {
        self.take(n)?;
        Ok(self)
    }

    /// A number of two bytes.
    pub fn u16(&mut self) -> Result<u16, String> {
        self.take(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> Result<u32, String> {
        self.take(4).map(|bytes| bytes.iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte)))
    }

    /// A number of eight bytes.
    pub fn u64(&mut self) -> Result<u64, String> {
        self.take(8).map(|bytes| bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    }

    /// A number of as many bytes as it needs, seven bits each (LEB128).
    pub fn short(&mut self) -> Result<u64, String> {
        let mut n = 0;
        for place in 0..10 {
            let byte = self.take(1)?[0];
            n |= u64::from(byte & 0x7F) << (7 * place);
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err("a number is too long".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_bytes_in_order() {
        let mut bytes = Bytes(&[1, 2, 3, 0, 0, 0, 0xE5, 0x8E, 0x26, 9]);
        assert_eq!(bytes.u16().unwrap(), 0x0201);
        assert_eq!(bytes.u32().unwrap(), 3);
        assert_eq!(bytes.short().unwrap(), 624_485);
        assert_eq!(bytes.0, [9]);
        assert!(bytes.u16().is_err());
    }
}
